//! The second stage: writes skills from a document, selecting and reordering what the source says, never inventing.
//!
//! ```text
//! Document ─clean─▶ blocks ─┬─ a topic's part, or all of it ─▶ skillkiln_skills ─▶ SKILL.md, library, traces
//!                           └─ topics: which parts are worth a skill
//! ```
//!
//! The skill itself is the work of [`skillkiln_skills`]; here its words meet those of the service.

mod lender;

use crate::domain::skill::Skill;
use crate::domain::topic::{Topic, Topics};
use crate::pipeline::pool::{Limits, Pool};
use crate::pipeline::product::{Draft, Extracted, Origin, Synthesized, Wish};
use lender::Lender;
use serde::{Deserialize, Serialize};
use serde_json::Map;
use skillkiln_document::blocks::{Block, Document};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::markdown;
use skillkiln_document::text::{slug, squash};
use skillkiln_skills::card::has_words;
use skillkiln_skills::catalogue::{self, Sibling};
use skillkiln_skills::category::category;
use skillkiln_skills::clean;
use skillkiln_skills::lead_ins::{for_language, language_of};
use skillkiln_skills::outline::block_text;
use skillkiln_skills::skill;
use skillkiln_skills::write::{Sizes, write_part};
use skillkiln_skills::{naming, topics, wishes};
use std::sync::Arc;

/// Who wrote the file, for the header.
const GENERATOR: &str = concat!("skillkiln ", env!("CARGO_PKG_VERSION"));
/// Longest name (V015).
const NAME_CHARS_MAX: usize = 64;
/// Blocks that a language is told by.
const SAMPLE_BLOCKS: usize = 400;

/// Suggested metadata.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggestion {
    /// A name that the front matter may hold.
    pub name: String,
    /// What the source is about and when it helps.
    pub description: String,
    /// One of [`skillkiln_skills::category::CATEGORIES`].
    pub category: String,
}

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
    let (document, lender) = Lender::lend(evidence);
    let source = source_of(lender.origin());
    let written = match wish.topics.as_slice() {
        [] => single(&document, &source, wish).map(|draft| (vec![draft], None)),
        selected => {
            several(&document, &source, wish, selected).map(|(drafts, index)| (drafts, Some(index)))
        }
    };
    let evidence = lender.give_back(document.blocks);
    let (drafts, index) = written?;
    Ok(Synthesized {
        drafts,
        index,
        evidence,
    })
}

/// Looks for topics (decision 22). A source that is not to be split is one topic.
#[must_use]
pub fn detect(extracted: &Extracted) -> Topics {
    let document = clean::prepare(&extracted.document);
    let found = topics::topics(&document, &extracted.origin.label);
    let count = |words: usize| u64::try_from(words).unwrap_or(u64::MAX);
    Topics {
        should_catalogue: found.len() >= 2,
        word_count: found.iter().map(|topic| topic.words).sum(),
        topics: found
            .into_iter()
            .map(|topic| Topic {
                name: topic.name,
                slug: topic.slug,
                description: topic.about,
                estimated_word_count: count(topic.words),
                extra: Map::new(),
            })
            .collect(),
    }
}

/// Whether a source has something on each of some topics.
///
/// # Errors
/// [`Reason::NotCovered`] for the first on which it has nothing.
pub fn find(extracted: &Extracted, selected: &[Topic]) -> Result<(), Failure> {
    let document = clean::prepare(&extracted.document);
    let all = topics::topics(&document, &extracted.origin.label);
    selected
        .iter()
        .try_for_each(|topic| blocks_of(&document, &all, topic).map(drop))
}

/// The part of a document that a topic means.
fn blocks_of<'d>(
    document: &'d Document,
    all: &[topics::Topic],
    topic: &Topic,
) -> Result<&'d [Block], Failure> {
    topics::find(document, all, &topic.name, &topic.slug)
        .and_then(|range| document.blocks.get(range))
        .filter(|blocks| has_words(blocks))
        .ok_or_else(|| {
            let shown: String = squash(&topic.name).chars().take(80).collect();
            Failure::new(
                Reason::NotCovered,
                format!(
                    "the source has nothing on the topic {shown:?}; select topics that detect-topics returned for this source"
                ),
            )
        })
}

/// Suggests a name, a description and a category: those of the skill that would be written.
///
/// # Errors
/// When there is nothing to make a skill of.
pub fn suggest(extracted: &Extracted) -> Result<Suggestion, Failure> {
    let document = clean::prepare(&extracted.document);
    let source = source_of(&extracted.origin);
    let skill = single(&document, &source, &Wish::default())?;
    Ok(Suggestion {
        name: skill.skill.name,
        description: skill.skill.description,
        category: skill.category,
    })
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
    let origin = &evidence.origin;
    let part = |title: String, blocks: Vec<Block>| Prepared {
        title,
        document: Document {
            title: document.title.clone(),
            about: document.about.clone(),
            blocks,
            ..Document::default()
        },
        origin: origin.clone(),
    };
    if wish.topics.is_empty() {
        let title = titled(wish, &document.blocks)
            .unwrap_or_else(|| naming::title(&document, &origin.label));
        return Ok(vec![part(title, document.blocks.clone())]);
    }
    let all = topics::topics(&document, &origin.label);
    let of_topic = |topic: &Topic| {
        let blocks = blocks_of(&document, &all, topic)?;
        let called = wishes::title(&topic.name, blocks);
        let called = called.unwrap_or_else(|| squash(&topic.name));
        Ok(part(called, blocks.to_vec()))
    };
    wish.topics.iter().map(of_topic).collect()
}

/// A source in the words of the skill.
pub(in crate::pipeline) fn source_of(origin: &Origin) -> skill::Source {
    skill::Source {
        label: origin.label.clone(),
        source_type: origin.kind.as_str().to_owned(),
        digest: origin.digest.clone(),
        read_on: origin.read_at.date(),
        generator: GENERATOR.to_owned(),
    }
}

/// The one skill of a source.
fn single(document: &Document, source: &skill::Source, wish: &Wish) -> Result<Draft, Failure> {
    let wished = skill::Wish {
        title: titled(wish, &document.blocks),
        name: wish.name.as_deref().and_then(wishes::name),
        description: wish.description.as_deref().and_then(wishes::description),
        category: category_of(wish, &document.blocks),
        kind: wish.kind.map(|named| named.0),
        ..skill::Wish::default()
    };
    draft(document, &document.blocks, source, &wished, None)
}

/// A skill for each selected topic, and the index over them.
fn several(
    document: &Document,
    source: &skill::Source,
    wish: &Wish,
    selected: &[Topic],
) -> Result<(Vec<Draft>, Skill), Failure> {
    let title =
        titled(wish, &document.blocks).unwrap_or_else(|| naming::title(document, &source.label));
    let product = document.about.site.clone().unwrap_or_default();
    let named = wish.name.as_deref().and_then(wishes::name);
    let base = named.unwrap_or_else(|| naming::name(&title, &product, &source.digest, &[]));
    let index_name = format!("{}-index", slug(&base, NAME_CHARS_MAX - "-index".len()));
    let all = topics::topics(document, &source.label);
    let mut taken = vec![index_name.clone()];
    let mut drafts = Vec::with_capacity(selected.len());
    let mut titles = Vec::with_capacity(selected.len());
    for topic in selected {
        let blocks = blocks_of(document, &all, topic)?;
        let called = wishes::title(&topic.name, blocks);
        // A part is told from those of other sources by what all of them are of.
        let name = naming::name(
            called.as_deref().unwrap_or(&topic.slug),
            &title,
            &source.digest,
            &taken,
        );
        let wished = skill::Wish {
            title: called,
            name: Some(name),
            category: category_of(wish, blocks),
            kind: wish.kind.map(|named| named.0),
            is_part: true,
            ..skill::Wish::default()
        };
        let draft = draft(document, blocks, source, &wished, Some(topic))?;
        taken.push(draft.skill.name.clone());
        titles.push(wished.title.unwrap_or_else(|| draft.skill.name.clone()));
        drafts.push(draft);
    }
    let siblings: Vec<Sibling<'_>> = drafts
        .iter()
        .zip(&titles)
        .map(|(draft, title)| Sibling {
            name: &draft.skill.name,
            title,
            description: &draft.skill.description,
        })
        .collect();
    let category = drafts.first().map_or("", |draft| &*draft.category);
    let sample: String = document
        .blocks
        .iter()
        .take(SAMPLE_BLOCKS)
        .map(block_text)
        .collect();
    let words = for_language(language_of(&sample));
    let (description, content) =
        catalogue::index(&index_name, &title, category, &siblings, source, words);
    let index = Skill {
        name: index_name,
        description,
        word_count: markdown::word_count(&content),
        content,
        references: Vec::new(),
    };
    Ok((drafts, index))
}

/// What somebody calls the subject.
fn titled(wish: &Wish, blocks: &[Block]) -> Option<String> {
    wishes::title(wish.name.as_deref()?, blocks)
}

/// The category that somebody wished, else that of the subject.
fn category_of(wish: &Wish, blocks: &[Block]) -> Option<String> {
    let wished = wish.category.as_deref().map(squash);
    let wished = wished.filter(|category| !category.is_empty());
    Some(wished.unwrap_or_else(|| category(blocks).to_owned()))
}

fn draft(
    document: &Document,
    blocks: &[Block],
    source: &skill::Source,
    wish: &skill::Wish,
    topic: Option<&Topic>,
) -> Result<Draft, Failure> {
    let written = write_part(document, blocks, source, wish, &Sizes::default())
        .map_err(|refusal| Failure::new(Reason::Unreadable, refusal.0))?;
    Ok(Draft {
        topic: topic.cloned(),
        category: written.category,
        skill: Skill {
            name: written.name,
            description: written.description,
            word_count: markdown::word_count(&written.content),
            content: written.content,
            references: written.references,
        },
        traces: written.traces,
        proofs: Vec::new(),
        authorship: None,
    })
}
