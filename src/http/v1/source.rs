//! Owns how the `source` of a form becomes a source whose kind is settled (decisions 18 to 20).

use crate::domain::source::{self, Source, SourceType};
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::form::{Form, Value};

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

    /// The source, its file kept for the run.
    pub(super) async fn keep(self, context: &Context) -> Result<Source, Problem> {
        match self.0 {
            Given::Settled(source) => Ok(source),
            Given::File(file) => {
                let file = context.services.library.keep(file.into()).await?;
                Ok(Source::File { files: vec![file] })
            }
        }
    }
}

/// Settles the kind of a source that was sent as text, and refuses an address that can be told to be bad.
pub(super) fn settle(
    text: &str,
    explicit: Option<SourceType>,
    context: &Context,
) -> Result<Source, Problem> {
    let settled = source::resolve(text, explicit).map_err(|unfit| Problem::invalid(unfit.0))?;
    if let Source::Youtube { address } | Source::Url { address } = &settled {
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
