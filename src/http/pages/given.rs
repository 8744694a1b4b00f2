//! Owns what the form on `/new` holds: it is read once, its files are kept, and what cannot be is refused with all that was typed.

use crate::domain::address::without_scheme;
use crate::domain::id::SourceId;
use crate::domain::not_text;
use crate::domain::source::{Source, SourceType};
use crate::domain::topic::{TOPICS_MAX, Topic};
use crate::http::app::generate::{files_of, ids_of};
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::form::{Form, Value};
use crate::http::pages::session::Admitted;
use crate::http::v1::source::{page_count, settle, with_pages};
use crate::http::v1::topics;
use crate::services::library::files::Upload;
use actix_web::{HttpRequest, web};
use bytes::Bytes;

const FIELDS: [&str; 11] = [
    "files",
    "source",
    "source_ids",
    "name",
    "description",
    "category",
    "kind",
    "max_pages",
    "topics",
    "all_topics",
    "each",
];
/// Most addresses that are made into skills at once.
pub(super) const SEVERAL_MAX: usize = 20;

/// A file that was sent before.
pub(super) struct Kept {
    pub(super) id: String,
    pub(super) filename: String,
}

/// What somebody gave, so that nothing has to be given twice.
#[derive(Default)]
pub(super) struct Typed {
    /// The address or the text.
    pub(super) text: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) category: String,
    /// The id of what the source is said to be; blank when that is recognised.
    pub(super) kind: String,
    /// How many pages of the site below an address are read; blank for the page alone.
    pub(super) max_pages: String,
    /// The files that were kept as sources.
    pub(super) kept: Vec<Kept>,
    /// The topics that were offered, as the page carries them along.
    pub(super) all_topics: String,
    /// The slugs of the chosen ones.
    pub(super) chosen: Vec<String>,
}

/// What a form holds.
pub(super) struct Sent {
    pub(super) source: Source,
    /// The other sources, when several addresses were given and each is to become a skill.
    pub(super) more: Vec<Source>,
    pub(super) topics: Vec<Topic>,
    pub(super) typed: Typed,
}

/// A form that was refused.
pub(super) struct Failed {
    pub(super) typed: Typed,
    pub(super) problem: Problem,
}

/// Before anything could be read.
fn unread(problem: Problem) -> Box<Failed> {
    let typed = Typed::default();
    Box::new(Failed { typed, problem })
}

/// Reads the form: files that are sent now or were sent before, or an address or a text. Files are kept as sources, so that
/// the next form can name them; a text too, when it is only looked at.
pub(super) async fn read<const GENERATES: bool>(
    member: &Admitted<GENERATES>,
    req: &HttpRequest,
    payload: web::Payload,
) -> Result<Sent, Box<Failed>> {
    let context = Context::of(req);
    let limits = &context.settings.limits;
    let mut form = Form::read_from_page(req, payload, limits, &FIELDS)
        .await
        .map_err(unread)?;
    let mut text = |name| form.text(name).map(Option::unwrap_or_default);
    let typed = Typed {
        text: text("source").map_err(unread)?,
        name: text("name").map_err(unread)?,
        description: text("description").map_err(unread)?,
        category: text("category").map_err(unread)?,
        kind: text("kind").map_err(unread)?,
        max_pages: text("max_pages").map_err(unread)?,
        all_topics: text("all_topics").map_err(unread)?,
        chosen: texts(form.all("topics")),
        kept: vec![],
    };
    let ids = texts(form.all("source_ids"));
    let each = text_of(form.all("each"));
    let uploads: Vec<Upload> = form
        .all("files")
        .into_iter()
        .filter_map(|value| match value {
            Value::File(file) => Some(file.into()),
            Value::Text(_) => None,
        })
        .collect();
    drop(form);
    if let Err(problem) = one_kind(&uploads, &ids, &typed.text) {
        return Err(Box::new(Failed { typed, problem }));
    }
    let several = match not_text::addresses(&typed.text) {
        Some(several) if GENERATES && uploads.is_empty() && ids.is_empty() => several,
        _ => vec![],
    };
    // The button said how many skills it makes, and what they cost.
    if !several.is_empty() && each == several.len().to_string() {
        return match each_of(&several, &typed, context) {
            Ok((source, more)) => Ok(Sent {
                source,
                more,
                topics: vec![],
                typed,
            }),
            Err(problem) => Err(Box::new(Failed { typed, problem })),
        };
    }
    let found = source_of(member, context, uploads, ids, &typed.text, !GENERATES).await;
    let found = found.and_then(|(source, kept)| {
        let source = with_pages_of_site(source, &typed.max_pages, context)?;
        Ok((source, kept))
    });
    let (source, kept) = match found {
        Ok(found) => found,
        Err(problem) => return Err(Box::new(Failed { typed, problem })),
    };
    let typed = Typed { kept, ..typed };
    match topics_of(&typed.chosen, &typed.all_topics) {
        Ok(topics) => Ok(Sent {
            source,
            more: vec![],
            topics,
            typed,
        }),
        Err(problem) => Err(Box::new(Failed { typed, problem })),
    }
}

/// Each of several addresses as a source.
fn each_of(
    several: &[String],
    typed: &Typed,
    context: &Context,
) -> Result<(Source, Vec<Source>), Problem> {
    if several.len() > SEVERAL_MAX {
        return Err(Problem::invalid(format!(
            "these are {} addresses, and at most {SEVERAL_MAX} are made into skills at once: send them in parts. Nothing was charged.",
            several.len()
        )));
    }
    if !typed.name.trim().is_empty() || !typed.description.trim().is_empty() {
        return Err(Problem::invalid(
            "several skills cannot share one name or description: leave both empty, and each is named after its source. Nothing was charged.",
        ));
    }
    let source = |address: &String| {
        let source = settle(address, None, context)?;
        with_pages_of_site(source, &typed.max_pages, context)
    };
    let mut sources = several.iter().map(source).collect::<Result<Vec<_>, _>>()?;
    let first = sources.remove(0);
    Ok((first, sources))
}

/// The source with the wanted pages of its site; what is no web page has none.
fn with_pages_of_site(source: Source, wanted: &str, context: &Context) -> Result<Source, Problem> {
    let wanted = wanted.trim();
    if wanted.is_empty() || source.kind() != SourceType::Url {
        return Ok(source);
    }
    with_pages(
        source,
        page_count(Some(wanted.parse().unwrap_or(0)), context)?,
    )
}

fn text_of(values: Vec<Value>) -> String {
    texts(values).into_iter().next().unwrap_or_default()
}

fn texts(values: Vec<Value>) -> Vec<String> {
    let text = |value| match value {
        Value::Text(text) => Some(text),
        Value::File(_) => None,
    };
    values.into_iter().filter_map(text).collect()
}

/// Files and a text are two sources, and a run reads one: neither is left out in silence.
fn one_kind(uploads: &[Upload], ids: &[String], text: &str) -> Result<(), Problem> {
    if text.trim().is_empty() || (uploads.is_empty() && ids.is_empty()) {
        return Ok(());
    }
    let names: Vec<&str> = uploads.iter().map(|file| file.filename.as_str()).collect();
    let files = match names.as_slice() {
        [] => "the files that were sent before".to_owned(),
        [only] => format!("the file {only}"),
        names => format!("the files {}", names.join(", ")),
    };
    Err(Problem::invalid(format!(
        "you gave both {files} and an address or a text, and a skill is made of one of them: take the other away, or save the text as a file and give the files together. Nothing was charged."
    )))
}

/// Which topics of those that were offered are wanted.
fn topics_of(chosen: &[String], offered: &str) -> Result<Vec<Topic>, Problem> {
    if chosen.is_empty() {
        return Ok(vec![]);
    }
    let unreadable = || Problem::invalid("the topics cannot be read; look for them again");
    let offered: Vec<Topic> = serde_json::from_str(offered).map_err(|_| unreadable())?;
    if offered.len() > TOPICS_MAX {
        return Err(unreadable());
    }
    let topics: Vec<Topic> = offered
        .into_iter()
        .filter(|topic| chosen.contains(&topic.slug))
        .collect();
    // They were on a page meanwhile, so they may be anything.
    topics::check(&topics).map_err(|_| unreadable())?;
    Ok(topics)
}

/// The source of a form. A text that is looked at first is kept as a file, so that it need not be sent again.
async fn source_of<const GENERATES: bool>(
    member: &Admitted<GENERATES>,
    context: &Context,
    uploads: Vec<Upload>,
    ids: Vec<String>,
    text: &str,
    keep_text: bool,
) -> Result<(Source, Vec<Kept>), Problem> {
    let (library, user_id) = (&context.services.library, member.user_id());
    let uploads = if !uploads.is_empty() {
        uploads
    } else if !ids.is_empty() {
        vec![]
    } else {
        // People type an address as their browser shows it, and one word is no text to make a skill of.
        let address = without_scheme(text);
        if address.is_none()
            && let Some(mistake) = not_text::mistaken(text)
        {
            return Err(Problem::invalid(mistake.advice_on_page()));
        }
        let given = address.as_deref().unwrap_or(text);
        let settled = settle(given, None, context).map_err(|problem| {
            if text.trim().is_empty() {
                Problem::invalid("nothing was given: drop a file, or paste an address or a text")
            } else {
                problem
            }
        })?;
        if settled.kind() != SourceType::Text || !keep_text {
            return Ok((settled, vec![]));
        }
        vec![Upload {
            filename: "pasted text.md".to_owned(),
            bytes: Bytes::from(text.to_owned()),
        }]
    };
    let ids: Vec<SourceId> = if uploads.is_empty() {
        ids_of(&ids, context.settings.limits.files_max)?
    } else {
        let stored = library.upload(user_id, uploads).await?;
        stored.into_iter().map(|source| source.id).collect()
    };
    let files = files_of(context, user_id, &ids).await?;
    let kept = ids.iter().zip(&files).map(|(id, file)| Kept {
        id: id.public(),
        filename: file.filename.clone(),
    });
    let kept = kept.collect();
    Ok((Source::File { files }, kept))
}
