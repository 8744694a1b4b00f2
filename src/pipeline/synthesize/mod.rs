//! The second stage: writes skills from a document, selecting and reordering what the source says, never inventing.
//!
//! ```text
//! Document ─clean─▶ blocks ─outline─▶ sections ─┬─ references: everything, in order
//!                     │                         ├─ topics: which parts are worth a skill
//!                     │                         └─ abridged: each from its beginning, ┐
//!                     │                            of a book its chapters             │
//!                     ├─ whole: to the letter, when that fits ────────────────────────┼─▶ SKILL.md
//!                     └─units─▶ pieces ─roles, rank─▶ compose: without sections ──────┘
//! ```

mod belonging;
mod changes;
mod clean;
mod describe;
mod frames;
mod front_matter;
mod heading_words;
mod headlines;
mod hostile;
mod index;
mod lead_ins;
mod loaders;
mod manuals;
mod nameless;
mod opening;
mod outline;
mod page;
mod phrases;
mod places;
mod portions;
pub mod prefill;
mod products;
mod project;
pub(in crate::pipeline) mod provenance;
mod segments;
mod sentences;
mod series;
mod signature;
mod speakers;
mod spellings;
mod subjects;
mod talks;
mod tasks;
#[cfg(test)]
pub(in crate::pipeline) mod testing;
#[cfg(test)]
mod tests;
mod title;
pub mod topics;
mod wording;
pub mod words;

use crate::domain::skill::{ReferenceFile, Skill};
use crate::domain::topic::Topic;
use crate::pipeline::pool::{Limits, Pool};
use crate::pipeline::product::{Draft, Extracted, Origin, Synthesized, Trace, Wish};
use crate::pipeline::secret::redacted;
use describe::{Gist, Subject};
use outline::Outline;
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::markdown;
use skillkiln_document::text::squash;
use skillkiln_document::unseen::without_unseen;
use skillkiln_skills::skill;
use skillkiln_skills::write::Sizes;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;
use talks::parts::Headed;

/// Writes skills from a source, on the threads for heavy work.
///
/// # Errors
/// A [`Failure`] that tells the user what to do: nothing to read, a topic that the source does not cover, a source too long.
pub async fn synthesize(
    pool: &Pool,
    extracted: Extracted,
    wish: Wish,
) -> Result<Synthesized, Failure> {
    let evidence = Arc::new(extracted);
    let limits = Limits::of_source(evidence.document.text.len());
    pool.run_within(limits, true, move || write(evidence, &wish))
        .await?
}

/// Writes skills from a source. The same input gives the same bytes.
///
/// # Errors
/// As [`synthesize`].
pub fn write(evidence: Arc<Extracted>, wish: &Wish) -> Result<Synthesized, Failure> {
    let wish = &*seen_of(wish);
    let (document, lender) = clean::Lender::lend(evidence);
    if !has_words(&document.blocks) {
        return Err(Failure::new(
            Reason::Unreadable,
            "there is nothing in this source to make a skill of; send one with text or code",
        ));
    }
    let title = source_title(&document, lender.origin(), wish);
    if wish.topics.is_empty() {
        let draft = draft(
            &document,
            &document.blocks,
            &title,
            wish,
            None,
            lender.origin(),
            &mut HashSet::new(),
        )?;
        return Ok(Synthesized {
            drafts: vec![draft],
            index: None,
            evidence: lender.give_back(document.blocks),
        });
    }
    let index_name = index_name(&document, &title, wish, lender.origin());
    let mut names = HashSet::from([index_name.clone()]);
    let mut drafts = Vec::with_capacity(wish.topics.len());
    let mut titles = Vec::with_capacity(wish.topics.len());
    for topic in &wish.topics {
        let blocks = topics::part_of(&document, topic)?;
        if !has_words(blocks) {
            return Err(Failure::new(
                Reason::Missing,
                format!(
                    "the source has no text on the topic {:?}; select another",
                    describe::clip(&squash(&topic.name), 80)
                ),
            ));
        }
        let called = title::called(&topic.name, blocks).unwrap_or_default();
        let draft = draft(
            &document,
            blocks,
            &called,
            wish,
            Some(topic),
            lender.origin(),
            &mut names,
        )?;
        titles.push(match called.is_empty() {
            true => draft.skill.name.clone(),
            false => called,
        });
        drafts.push(draft);
    }
    let category = drafts.first().map_or("", |draft| draft.category.as_str());
    let own = lead_ins::for_text(&describe::sample(&[&document.blocks]));
    let index = index::write(
        &index_name,
        &title,
        category,
        &drafts,
        &titles,
        lender.origin(),
        own,
    );
    Ok(Synthesized {
        drafts,
        index: Some(index),
        evidence: lender.give_back(document.blocks),
    })
}

/// A wish without characters that nobody sees: its words come to stand in the front matter.
fn seen_of(wish: &Wish) -> Cow<'_, Wish> {
    let mut seen = Cow::Borrowed(wish);
    let is_clear = |text: &str| matches!(without_unseen(text), Cow::Borrowed(_));
    let texts = [&wish.name, &wish.description, &wish.category];
    let names = wish.topics.iter().map(|topic| &topic.name);
    if texts
        .into_iter()
        .flatten()
        .chain(names)
        .all(|text| is_clear(text))
    {
        return seen;
    }
    let own = seen.to_mut();
    let texts = [&mut own.name, &mut own.description, &mut own.category];
    let names = own.topics.iter_mut().map(|topic| &mut topic.name);
    for text in texts.into_iter().flatten().chain(names) {
        *text = without_unseen(text).into_owned();
    }
    seen
}

/// One skill from some blocks of a document.
fn draft(
    document: &Document,
    blocks: &[Block],
    title: &str,
    wish: &Wish,
    topic: Option<&Topic>,
    origin: &Origin,
    names: &mut HashSet<String>,
) -> Result<Draft, Failure> {
    let told = talks::told::told(blocks);
    let outline = Outline::of(blocks);
    let headed = talks::parts::headed(title, blocks, &outline, &told);
    let (blocks, told, outline) = match &headed {
        Some(Headed { blocks, told }) => (&**blocks, &**told, Outline::of(blocks)),
        None => (blocks, &*told, outline),
    };
    // What surrounds the subject tells who made it and what is allowed, and no term to find it by.
    let subject = match told.len() == blocks.len() {
        true => outline.subject(told),
        false => vec![told],
    };
    let gist = Gist::of(&subject);
    let phrases = gist.phrases(3);
    // Who names a skill or a topic has said enough.
    let belonging = match (topic, &wish.name) {
        (None, None) => belonging::of(title, document, &origin.label),
        _ => None,
    };
    let named = belonging.as_ref().map_or(title, |whole| &whole.named);
    let name = match topic {
        Some(topic) => {
            let called = redacted(&topic.name);
            title::name(&[&called, &topic.slug], phrases, &origin.digest)
        }
        None => title::wished(wish.name.as_deref())
            .unwrap_or_else(|| title::name(&[named, &origin.label], phrases, &origin.digest)),
    };
    let name = unique(name, names);
    let title = if title.is_empty() {
        name.as_str()
    } else {
        title
    };
    let wished =
        front_matter::wished_description(wish.description.as_deref().filter(|_| topic.is_none()));
    let described = Subject {
        title,
        called: belonging.as_ref().map_or(title, |whole| &whole.spoken),
        summary: document
            .about
            .description
            .as_deref()
            .filter(|_| topic.is_none()),
        blocks: told,
        outline: &outline,
        gist: &gist,
    };
    let category = category_of(wish, &subject);
    let opening = describe::opening_sentence(&described);
    let wish = skill::Wish {
        title: Some(title.to_owned()),
        name: Some(name.clone()),
        description: wished,
        opening,
        category: Some(category),
        is_part: topic.is_some(),
        ..skill::Wish::default()
    };
    card(document, blocks, origin, topic, &wish)
}

/// A document, or a topic of it, as a model may read it.
#[derive(Debug)]
pub(in crate::pipeline) struct Prepared {
    /// What the skill of it is called.
    pub(in crate::pipeline) title: String,
    /// Its blocks, with what the whole document says of itself.
    pub(in crate::pipeline) document: Document,
    /// Where it comes from.
    pub(in crate::pipeline) origin: Origin,
}

/// What each skill is to be made of, in the order of the topics.
pub(in crate::pipeline) fn prepared(
    evidence: &Extracted,
    wish: &Wish,
) -> Result<Vec<Prepared>, Failure> {
    let document = clean::prepare(&evidence.document);
    let part = |title: String, blocks: Vec<Block>| Prepared {
        title,
        document: Document {
            title: document.title.clone(),
            about: document.about.clone(),
            blocks,
            ..Document::default()
        },
        origin: evidence.origin.clone(),
    };
    if wish.topics.is_empty() {
        let title = source_title(&document, &evidence.origin, wish);
        return Ok(vec![part(title, document.blocks.clone())]);
    }
    let of_topic = |topic| {
        let blocks = topics::part_of(&document, topic)?;
        let called = title::called(&topic.name, blocks);
        Ok(part(
            called.unwrap_or_else(|| squash(&topic.name)),
            blocks.to_vec(),
        ))
    };
    wish.topics.iter().map(of_topic).collect()
}

/// Where a document comes from, as its skill names it.
pub(in crate::pipeline) fn source_of(origin: &Origin) -> skill::Source {
    skill::Source {
        label: origin.label.clone(),
        source_type: origin.kind.as_str().to_owned(),
        digest: origin.digest.clone(),
        read_on: origin.read_at.date(),
        generator: front_matter::GENERATOR.to_owned(),
    }
}

/// A description that somebody asked for, as the header may hold it.
pub(in crate::pipeline) fn wished_description(wish: Option<&str>) -> Option<String> {
    front_matter::wished_description(wish)
}

/// A name for the header of the first of `candidates` that has one.
pub(in crate::pipeline) fn skill_name(candidates: &[&str], origin: &Origin) -> String {
    title::name(candidates, &[], &origin.digest)
}

/// A skill that is written by the source alone.
fn card(
    document: &Document,
    blocks: &[Block],
    origin: &Origin,
    topic: Option<&Topic>,
    wish: &skill::Wish,
) -> Result<Draft, Failure> {
    let source = source_of(origin);
    let written =
        skillkiln_skills::write::write_part(document, blocks, &source, wish, &Sizes::default())
            .map_err(|refusal| Failure::new(Reason::Unreadable, refusal.0))?;
    let trace = |trace: skill::Trace| Trace {
        reference: trace.reference,
        lines: trace.lines,
        span: trace.span,
    };
    let reference = |reference: skill::Reference| ReferenceFile {
        filename: reference.filename,
        content: reference.content,
    };
    Ok(Draft {
        topic: topic.cloned(),
        category: written.category,
        skill: Skill {
            name: written.name,
            description: written.description,
            word_count: markdown::word_count(&written.content),
            content: written.content,
            references: written.references.into_iter().map(reference).collect(),
        },
        traces: written.traces.into_iter().map(trace).collect(),
        proofs: Vec::new(),
        authorship: None,
    })
}

/// The category that somebody wished, else that of the subject.
fn category_of(wish: &Wish, subject: &[&[Block]]) -> String {
    wish.category
        .as_deref()
        .map(squash)
        .filter(|category| !category.is_empty())
        .unwrap_or_else(|| prefill::category(subject).to_owned())
}

/// What the skill or the catalogue is called.
fn source_title(document: &Document, origin: &Origin, wish: &Wish) -> String {
    wish.name
        .as_deref()
        .and_then(|name| title::called(name, &document.blocks))
        .unwrap_or_else(|| {
            title::title(
                document.title.as_deref(),
                document.about.site.as_deref(),
                &document.blocks,
                &origin.label,
            )
        })
}

fn index_name(document: &Document, title: &str, wish: &Wish, origin: &Origin) -> String {
    let derived = || {
        let gist = Gist::of(&[&document.blocks]);
        let belonging = belonging::of(title, document, &origin.label);
        let named = belonging.as_ref().map_or(title, |whole| &whole.named);
        title::name(&[named], gist.phrases(3), &origin.digest)
    };
    let name = title::wished(wish.name.as_deref()).unwrap_or_else(derived);
    let room = title::NAME_CHARS_MAX - "-index".len();
    format!("{}-index", skillkiln_document::text::slug(&name, room))
}

/// The name, or the name with the first free number after it.
fn unique(name: String, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        let room = title::NAME_CHARS_MAX - 4;
        candidate = format!("{}-{number}", skillkiln_document::text::slug(&name, room));
        number += 1;
    }
    candidate
}

/// Whether there is anything but pictures and empty frames.
fn has_words(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| {
        !matches!(block.kind, BlockKind::Heading { .. })
            && outline::block_text(block)
                .chars()
                .any(char::is_alphanumeric)
    })
}
