//! Owns `/library/sk_…`: one skill as its owner sees it, in eight views: to read, its source with the findings at their lines, to edit,
//! its reference files, where its parts come from, how its description fares for requests, whether its source is watched, and what it said
//! before.

use crate::domain::clock::Timestamp;
use crate::domain::id::SkillId;
use crate::domain::skill::{Change, StoredSkill, VersionLine};
use crate::http::app::sharing::{handed_over, share_url};
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::pages::assets::Assets;
use crate::http::pages::by_hand;
use crate::http::pages::diff::Difference;
use crate::http::pages::draft::{self, DraftView};
use crate::http::pages::findings::{Finding, errors, findings, kept, notes, passed, proved};
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::markdown::{self, Rendered};
use crate::http::pages::moment::Moment;
use crate::http::pages::press;
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::Member;
use crate::http::pages::watch::{self, WatchView};
use crate::http::query::Query;
use crate::services::library::archive;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use skillkiln_skills::evals::ranking::Ranking;
use skillkiln_skills::origins::PartOrigin;
use skillkiln_skills::origins::headings_of;
use skillkiln_skills::report::Bill;
use skillkiln_skills::skill::Reference;
use skillkiln_skills::validate::{header_of, tokens_in};

/// Bytes of a source that are shown with line numbers.
const SOURCE_BYTES_MAX: usize = 96 << 10;

#[derive(Template)]
#[template(path = "skill.html")]
pub(super) struct SkillPage {
    pub(super) frame: Frame,
    /// Of this rendering: what it orders is paid once.
    pub(super) press: String,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) category: String,
    pub(super) is_public: bool,
    pub(super) share_url: String,
    pub(super) folder: String,
    /// What the commands fetch from: the public page, while there is one.
    pub(super) install_url: Option<String>,
    pub(super) word_count: u32,
    pub(super) tokens: usize,
    /// What the model took that was asked to write it.
    pub(super) bill: Option<Bill>,
    pub(super) errors: u32,
    pub(super) warnings: u32,
    pub(super) notes: usize,
    /// What was proved against the source, in words with figures.
    pub(super) proved: Vec<Finding>,
    /// How much of the source is kept, in per cent.
    pub(super) kept: Option<String>,
    /// What its owner is told before everybody can read it.
    pub(super) blocking: Vec<Finding>,
    pub(super) created: Moment,
    pub(super) changed: Moment,
    pub(super) made_of: Option<String>,
    pub(super) metadata: Vec<(String, String)>,
    pub(super) parts: Vec<Part>,
    pub(super) versions: usize,
    /// Of its watch, what its owner is told on every view.
    pub(super) news: Option<&'static str>,
    /// When its owner wrote what a new text then took the place of.
    pub(super) overtaken: Option<i64>,
    /// Whether a new text waits beside theirs.
    pub(super) has_draft: bool,
    /// Whether its owner wrote what it says now.
    pub(super) is_edited: bool,
    pub(super) tag: i64,
    pub(super) view: View,
}

/// What is shown of it.
pub(super) enum View {
    /// SKILL.md as a reader sees it.
    Read(Rendered),
    /// SKILL.md line by line.
    Source {
        lines: Vec<Line>,
        findings: Vec<Finding>,
        passed: Vec<Finding>,
        is_cut: bool,
    },
    /// SKILL.md to be changed.
    Edit {
        content: String,
        tag: i64,
        /// What the checks say of this text; `None` when it was not checked.
        findings: Option<Vec<Finding>>,
        wrong: Option<Unsaved>,
    },
    /// The reference files, or one of them.
    Parts(Option<(String, Rendered)>),
    /// Where each of its parts comes from.
    Origin(Vec<Sourced>),
    /// How its description fares among others, or why that cannot be told.
    Lab(Result<Ranking, String>),
    /// Whether its source is watched, and what waits of that.
    Watch(Box<WatchView>),
    /// The text that waits beside it.
    Draft(Box<DraftView>),
    /// What it said before, or how that differs.
    Versions {
        versions: Vec<Earlier>,
        shown: Option<Box<Compared>>,
    },
}

/// A version beside what the skill says now.
pub(super) struct Compared {
    pub(super) version: Earlier,
    /// What its owner had changed in it by hand, where a regeneration took its place.
    pub(super) by_hand: Option<Difference>,
    /// How it differs from now.
    pub(super) to_now: Difference,
}

impl View {
    fn is(&self, word: &str) -> bool {
        word == match self {
            Self::Read(_) => "read",
            Self::Source { .. } => "source",
            Self::Edit { .. } => "edit",
            Self::Parts(_) => "references",
            Self::Origin(_) => "origin",
            Self::Lab(_) => "lab",
            Self::Watch(_) => "watch",
            Self::Draft(_) => "draft",
            Self::Versions { .. } => "versions",
        }
    }
}

/// Why a text is not saved.
pub(super) struct Unsaved {
    pub(super) why: String,
    /// Whether another text was saved in the meantime.
    pub(super) is_overtaken: bool,
}

/// A reference file in the list.
pub(super) struct Part {
    pub(super) number: usize,
    pub(super) filename: String,
    pub(super) kilobytes: String,
}

/// A file of a skill with where its parts come from.
pub(super) struct Sourced {
    pub(super) file: String,
    pub(super) href: String,
    pub(super) parts: Vec<PartOrigin>,
}

/// A line of the source.
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
    /// The class of the worst finding on it.
    pub(super) mark: &'static str,
}

/// A version in the list.
pub(super) struct Earlier {
    pub(super) at: i64,
    pub(super) number: u32,
    pub(super) when: Moment,
    pub(super) until: Moment,
    pub(super) replaced_by: &'static str,
    pub(super) word_count: u32,
}

impl From<&VersionLine> for Earlier {
    fn from(line: &VersionLine) -> Self {
        Self {
            at: line.made_at.micros(),
            number: line.number,
            when: Moment::at(line.made_at),
            until: Moment::at(line.replaced_at),
            replaced_by: match line.replaced_by {
                Change::Edit => "an edit",
                Change::Regeneration => "a regeneration",
            },
            word_count: line.word_count,
        }
    }
}

fn lines(content: &str, findings: &[Finding]) -> Vec<Line> {
    let mark = |number: usize| {
        let here = |finding: &&Finding| {
            finding.line.is_some_and(|line| line as usize == number) && !finding.tone.is_empty()
        };
        match findings.iter().find(here) {
            Some(finding) if finding.tone == "bad" => "marked bad",
            Some(_) => "marked warn",
            None => "",
        }
    };
    let line = |(number, text): (usize, &str)| Line {
        number,
        text: text.to_owned(),
        mark: mark(number),
    };
    (1..).zip(content.lines()).map(line).collect()
}

/// Where a relative link in a skill leads on a page that shows its parts under `?part=`.
pub(super) fn part_of(references: &[Reference], target: &str, prefix: &str) -> Option<String> {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = path.trim_start_matches("./");
    let base = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    if path == "SKILL.md" || path == "../SKILL.md" {
        return Some(prefix.to_owned());
    }
    let at = references
        .iter()
        .position(|file| file.filename == path || base(&file.filename) == path)?;
    let anchor = if anchor.is_empty() {
        String::new()
    } else {
        format!("#{}", markdown::anchor(anchor))
    };
    Some(format!("{prefix}?part={}{anchor}", at + 1))
}

/// What the header says of where the skill comes from, in words; what the page shows anyway is left out.
fn said_of(metadata: Vec<(String, String)>) -> Vec<(String, String)> {
    let spoken = |(key, value): (String, String)| {
        let name = match key.as_str() {
            "category" | "source" => return None,
            "source_type" => "Kind",
            "source_digest" => "Digest",
            "generated" => "Read on",
            "generator" => "Made by",
            _ => return Some((key, value)),
        };
        Some((name.to_owned(), value))
    };
    metadata.into_iter().filter_map(spoken).collect()
}

/// The skill that a page's path names.
pub(super) fn id_of(req: &HttpRequest) -> Result<SkillId, Problem> {
    let id = req.match_info().get("id");
    id.and_then(SkillId::from_public)
        .ok_or_else(Problem::not_found)
}

/// A page about a skill, around a view of it.
pub(super) async fn page_of(
    member: &Member,
    context: &Context,
    stored: StoredSkill,
    view: View,
) -> Result<SkillPage, OnPage> {
    let library = &context.services.library;
    let made_of = library.made_of(member.user_id(), stored.id).await?;
    let versions = library.versions(member.user_id(), stored.id).await?;
    let replaced = versions.split_first().filter(|(last, before)| {
        last.replaced_by == Change::Regeneration && VersionLine::before_edits(before).is_some()
    });
    let overtaken = replaced.map(|(last, _)| last.made_at);
    let draft = library.draft(member.user_id(), stored.id).await?;
    let last = versions.first().map(|version| version.replaced_by);
    let watches = &context.services.watches;
    let standing = watches.standing(member.user_id(), stored.id).await?;
    let parts = (1..)
        .zip(&stored.skill.references)
        .map(|(number, file)| Part {
            number,
            filename: file.filename.clone(),
            kilobytes: format!("{:.1} kB", file.content.len() as f64 / 1_000.0),
        });
    Ok(SkillPage {
        frame: member.frame(stored.skill.name.clone(), "/library"),
        press: press::token(),
        id: stored.id.public(),
        share_url: share_url(context, stored.id),
        folder: archive::folder(&stored.skill),
        install_url: stored.is_public.then(|| share_url(context, stored.id)),
        tokens: tokens_in(&stored.skill.content),
        bill: stored.skill.report.bill,
        metadata: said_of(header_of(&stored.skill.content).metadata),
        parts: parts.collect(),
        category: stored.skill.category,
        description: stored.skill.description,
        name: stored.skill.name,
        is_public: stored.is_public,
        word_count: stored.skill.word_count,
        errors: stored.skill.report.errors,
        warnings: stored.skill.report.warnings,
        notes: notes(&stored.skill.report),
        proved: proved(&stored.skill.report),
        kept: kept(&stored.skill.report),
        blocking: errors(&stored.skill.report),
        created: Moment::at(stored.created_at),
        changed: Moment::at(stored.updated_at),
        made_of,
        versions: versions.len(),
        is_edited: last == Some(Change::Edit),
        news: standing.as_ref().and_then(watch::news),
        overtaken: overtaken.map(Timestamp::micros),
        has_draft: draft.is_some(),
        tag: stored.updated_at.micros(),
        view,
    })
}

/// Answers `GET /library/{id}`.
pub(in crate::http) async fn get(member: Member, req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    let id = id_of(&req)?;
    let query = Query::of(&req);
    let part: Option<usize> = query.text("part")?.and_then(|part| part.parse().ok());
    let at: Option<i64> = query.text("at")?.and_then(|at| at.parse().ok());
    let library = &context.services.library;
    let stored = library.skill(member.user_id(), id).await?;
    let stored = stored.ok_or_else(Problem::not_found)?;
    let view = match (query.text("view")?, part) {
        (_, Some(part)) => reference(&stored, part).await?,
        (Some("source"), _) => source(&stored),
        (Some("edit"), _) => edit(&stored),
        (Some("references"), _) => View::Parts(None),
        (Some("origin"), _) => origin(&stored),
        (Some("lab"), _) => lab(context, &stored).await,
        (Some("watch"), _) => View::Watch(Box::new(watch::view(&member, context, &stored).await?)),
        (Some("draft"), _) => match library.draft(member.user_id(), id).await? {
            Some(draft) => View::Draft(Box::new(
                draft::view(&member, context, &stored, draft).await?,
            )),
            None => read(&stored).await?,
        },
        (Some("versions"), _) => versions(&member, context, &stored, at).await?,
        _ => read(&stored).await?,
    };
    Ok(frame::page(&page_of(&member, context, stored, view).await?))
}

/// Answers `GET /library/{id}/{file}`: `SKILL.md` or `skill.zip`. Unlike the address of the API, it leads to the door whoever was signed out.
pub(in crate::http) async fn file(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let is_zip = match req.match_info().get("file") {
        Some("SKILL.md") => false,
        Some("skill.zip") => true,
        _ => return Err(Problem::not_found().into()),
    };
    let library = &Context::of(&req).services.library;
    let stored = library.skill(member.user_id(), id_of(&req)?).await?;
    let stored = stored.ok_or_else(Problem::not_found)?;
    Ok(handed_over(&req, stored, is_zip).await?)
}

async fn rendered(
    content: String,
    references: Vec<Reference>,
    page: String,
) -> Result<Rendered, Problem> {
    let render = move || markdown::render(&content, &|target| part_of(&references, target, &page));
    web::block(render).await.map_err(|_| Problem::internal())
}

async fn read(stored: &StoredSkill) -> Result<View, Problem> {
    let page = format!("/library/{}", stored.id.public());
    let skill = &stored.skill;
    rendered(skill.content.clone(), skill.references.clone(), page)
        .await
        .map(View::Read)
}

async fn reference(stored: &StoredSkill, part: usize) -> Result<View, Problem> {
    let page = format!("/library/{}", stored.id.public());
    let references = &stored.skill.references;
    let file = part.checked_sub(1).and_then(|at| references.get(at));
    let file = file.ok_or_else(Problem::not_found)?;
    let shown = rendered(file.content.clone(), references.clone(), page).await?;
    Ok(View::Parts(Some((file.filename.clone(), shown))))
}

fn source(stored: &StoredSkill) -> View {
    let findings = findings(&stored.skill.report);
    let head = markdown::head_of(&stored.skill.content, SOURCE_BYTES_MAX);
    View::Source {
        lines: lines(head, &findings),
        is_cut: head.len() < stored.skill.content.len(),
        passed: passed(&stored.skill.report),
        findings,
    }
}

/// The parts that are still there, file by file: its owner may have taken some out since.
fn origin(stored: &StoredSkill) -> View {
    let skill = &stored.skill;
    let page = format!("/library/{}", stored.id.public());
    let references = skill.references.iter().map(|file| &file.filename);
    let files = std::iter::once((page.clone(), "SKILL.md", &skill.content)).chain(
        (1..)
            .zip(references.zip(&skill.references))
            .map(|(at, (name, file))| (format!("{page}?part={at}"), name.as_str(), &file.content)),
    );
    let sourced = |(href, file, content): (String, &str, &String)| {
        let headings = headings_of(content);
        let is_there = |heading: &str| {
            heading.is_empty() || headings.iter().any(|known| known.words == heading)
        };
        let known = skill.origins.iter().filter(|part| part.file == file);
        Sourced {
            file: file.to_owned(),
            href,
            parts: known
                .filter(|part| is_there(&part.heading))
                .cloned()
                .collect(),
        }
    };
    let with_parts = |sourced: &Sourced| !sourced.parts.is_empty();
    View::Origin(files.map(sourced).filter(with_parts).collect())
}

/// Its source is read for it; where that cannot be done the page says why.
async fn lab(context: &Context, stored: &StoredSkill) -> View {
    let tried = context.services.library.trial(stored.user_id, stored).await;
    View::Lab(match tried {
        Ok(trial) => Ok(trial.ranking),
        Err(why) => Err(sentence(Problem::from(why).message())),
    })
}

/// The editor, with what is stored.
fn edit(stored: &StoredSkill) -> View {
    View::Edit {
        tag: stored.updated_at.micros(),
        findings: Some(findings(&stored.skill.report)),
        content: stored.skill.content.clone(),
        wrong: None,
    }
}

async fn versions(
    member: &Member,
    context: &Context,
    stored: &StoredSkill,
    at: Option<i64>,
) -> Result<View, OnPage> {
    let library = &context.services.library;
    let listed = library.versions(member.user_id(), stored.id).await?;
    let shown = match at {
        None => None,
        Some(at) => {
            let at = Timestamp::from_micros(at);
            let version = library.version(member.user_id(), stored.id, at).await?;
            let version = version.ok_or_else(Problem::not_found)?;
            let position = listed.iter().position(|line| line.made_at == at);
            let (line, older) = position
                .and_then(|position| listed.get(position..)?.split_first())
                .ok_or_else(Problem::not_found)?;
            let by_hand = match line.replaced_by {
                Change::Regeneration => {
                    by_hand::of(member, context, stored.id, older, &version.content).await?
                }
                Change::Edit => None,
            };
            let to_now = by_hand::compared(version.content, stored.skill.content.clone()).await?;
            Some(Box::new(Compared {
                version: Earlier::from(line),
                by_hand,
                to_now,
            }))
        }
    };
    Ok(View::Versions {
        versions: listed.iter().map(Earlier::from).collect(),
        shown,
    })
}

impl SkillPage {
    fn assets(&self) -> &'static Assets {
        Assets::get()
    }
}
