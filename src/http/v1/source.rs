//! Owns how the `source` of a form becomes a source whose kind is settled (decisions 18 to 20).

use crate::domain::source::{self, Source, SourceType};
use crate::domain::source_kind::SourceKind;
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::form::{Form, Value};
use skillkiln_skills::kind::UnknownKind;

/// A source that was understood; a file is not kept yet.
#[derive(Debug)]
pub(super) struct Sent(Given);

#[derive(Debug)]
enum Given {
    Settled(Source),
    File(crate::http::form::File),
}

impl Sent {
    /// Takes the source out of a form.
    pub(super) fn take(
        form: &mut Form,
        explicit: Option<SourceType>,
        context: &Context,
    ) -> Result<Self, Problem> {
        match form.one("source")? {
            None => Err(Problem::invalid("source is missing")),
            Some(Value::File(file)) => match explicit {
                None | Some(SourceType::File) => Ok(Self(Given::File(file))),
                Some(_) => Err(Problem::invalid(
                    "source was sent as a file, which only source_type file can be",
                )),
            },
            Some(Value::Text(text)) => {
                settle(&text, explicit, context).map(|source| Self(Given::Settled(source)))
            }
        }
    }

    /// The source with this many pages of its site, its file kept for the run.
    pub(super) async fn keep(self, context: &Context, pages: u32) -> Result<Source, Problem> {
        match self.0 {
            Given::Settled(source) => with_pages(source, pages),
            Given::File(_) if pages > 1 => {
                Err(Problem::invalid("max_pages is for web addresses only"))
            }
            Given::File(file) => {
                let file = context.services.library.keep(file.into()).await?;
                Ok(Source::File { files: vec![file] })
            }
        }
    }
}

/// A source with this many pages of its site.
pub(in crate::http) fn with_pages(source: Source, pages: u32) -> Result<Source, Problem> {
    source
        .with_pages(pages)
        .map_err(|unfit| Problem::invalid(unfit.0))
}

/// Settles the kind of a source that was sent as text, and refuses an address that can be told to be bad.
pub(in crate::http) fn settle(
    text: &str,
    explicit: Option<SourceType>,
    context: &Context,
) -> Result<Source, Problem> {
    let settled = source::resolve(text, explicit, context.settings.words_min)
        .map_err(|unfit| Problem::invalid(unfit.0))?;
    if let Source::Youtube { address } | Source::Url { address, .. } = &settled {
        let most = context.settings.limits.address_chars_max;
        if address.chars().count() > most {
            return Err(Problem::invalid(format!(
                "source is an address of more than {most} characters"
            )));
        }
        context
            .services
            .engine
            .refuse_address(address)
            .map_err(Problem::invalid)?;
    }
    Ok(settled)
}

/// The field `max_pages`: how many pages of its site are read with a web address; 1 when it is absent.
pub(in crate::http) fn pages(form: &mut Form, context: &Context) -> Result<u32, Problem> {
    let digits = form.text("max_pages")?;
    // What is no number is as wrong as a number of none.
    let number = digits.map(|digits| digits.trim().parse().unwrap_or(0));
    page_count(number, context)
}

/// A number of pages within what may be asked for; 1 when it is absent.
pub(in crate::http) fn page_count(number: Option<u32>, context: &Context) -> Result<u32, Problem> {
    let most = context.settings.site_pages_max;
    let number = number.unwrap_or(1);
    match (1..=most).contains(&number) {
        true => Ok(number),
        false => Err(Problem::invalid(format!(
            "max_pages must be a whole number from 1 to {most}"
        ))),
    }
}

/// The field `kind`: what the source is; recognised when it is absent.
pub(super) fn kind(form: &mut Form) -> Result<Option<SourceKind>, Problem> {
    form.text("kind")?.map_or(Ok(None), |word| kind_of(&word))
}

/// The kind that a word names.
pub(in crate::http) fn kind_of(word: &str) -> Result<Option<SourceKind>, Problem> {
    let named = word.parse().map(Some);
    named.map_err(|unknown: UnknownKind| Problem::invalid(format!("kind: {unknown}")))
}

/// The field `source_type`.
pub(super) fn explicit_type(form: &mut Form) -> Result<Option<SourceType>, Problem> {
    form.text("source_type")?
        .map(|word| {
            SourceType::parse(word.trim()).ok_or_else(|| {
                Problem::invalid("source_type must be one of youtube, url, file and text")
            })
        })
        .transpose()
}
