//! Owns the checks on the files beside SKILL.md (V063 to V066, V069, V071).

use crate::scaffold::VAGUE_FILES;
use crate::validate::body::tokens;
use crate::validate::finding::{Finding, Findings};
use crate::validate::links::{Goal, goal, paths};
use crate::validate::package::{Content, SKILL_FILE, is_clutter};
use crate::validate::page::Page;
use crate::validate::subject::{Subject, is_markdown};
use skillkiln_document::homes::{Home, somebodys};
use skillkiln_document::patterns;
use std::collections::HashSet;

/// Longest file without a table of contents, in lines.
const LINES_WITHOUT_CONTENTS: usize = 100;
/// Where a table of contents is looked for, in lines.
const NEAR_THE_TOP: u32 = 40;
/// Largest reference file.
const BYTES_MAX: usize = 1 << 20;
/// Most tokens of a reference file, by estimate.
const TOKENS_MAX: usize = 10_000;
patterns! {
    /// A path of the package that stands in running text or code.
    MENTION = r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_.-]+)*\.[A-Za-z0-9]{1,8}\b";
}

/// The files of the package that a page names, by a link or in words.
fn mentioned(page: &Page<'_>, paths: &HashSet<&str>) -> HashSet<String> {
    let mut found: HashSet<String> = HashSet::new();
    for link in &page.links {
        if let Some(Goal::Inside(path, _)) = goal(page, link) {
            found.insert(path);
        }
    }
    let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    for mention in MENTION.find_iter(page.text) {
        let path = mention.as_str();
        if paths.contains(path) {
            found.insert(path.to_owned());
        }
        let beside = format!("{folder}/{path}");
        if paths.contains(beside.as_str()) {
            found.insert(beside);
        }
    }
    found
}

/// V063.
pub(super) fn files_are_one_level_deep(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    let paths = paths(subject);
    let direct = mentioned(body, &paths);
    let mut findings = Vec::new();
    for entry in &subject.package.entries {
        if is_markdown(&entry.path)
            && entry.path.matches('/').count() > 1
            && !is_clutter(&entry.path)
        {
            findings.push(Finding::whole(format!(
                "`{}` lies deeper than one folder; move it up",
                entry.path
            )));
        }
    }
    let mut reported = HashSet::new();
    for page in subject.references() {
        for link in &page.links {
            if let Some(Goal::Inside(path, _)) = goal(page, link)
                && path != page.path
                && path != SKILL_FILE
                && is_markdown(&path)
                && paths.contains(path.as_str())
                && !direct.contains(&path)
                && reported.insert(path.clone())
            {
                let message =
                    format!("`{path}` is reached only from here; point at it from SKILL.md");
                findings.push(Finding::on(page.path, link.line, message));
            }
        }
    }
    Some(findings)
}

/// V064.
pub(super) fn no_file_is_orphaned(subject: &Subject<'_>) -> Findings {
    subject.body()?;
    let paths = paths(subject);
    let mut named: HashSet<String> = HashSet::new();
    for page in &subject.pages {
        named.extend(mentioned(page, &paths));
        // A whole folder that is pointed at is pointed at with all it holds.
        named.extend(page.links.iter().filter_map(|link| match goal(page, link) {
            Some(Goal::Inside(path, _)) => Some(format!("{path}/")),
            _ => None,
        }));
    }
    for file in subject.texts.iter().filter(|file| !is_markdown(file.path)) {
        // Scripts use each other by base name.
        for mention in MENTION.find_iter(&file.text) {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            named.insert(format!("{folder}/{}", mention.as_str()));
            named.insert(mention.as_str().to_owned());
        }
    }
    let is_exempt = |path: &str| {
        let lower = path.to_ascii_lowercase();
        path.rsplit('/')
            .next()
            .is_some_and(|last| last.eq_ignore_ascii_case(SKILL_FILE))
            || is_clutter(path)
            || ["license", "licence", "notice", "copying"]
                .iter()
                .any(|stem| lower.starts_with(stem))
    };
    let orphans = subject
        .package
        .entries
        .iter()
        .filter(|entry| matches!(entry.content, Content::File(_)) && !is_exempt(&entry.path))
        .filter(|entry| {
            let folder = entry
                .path
                .rsplit_once('/')
                .map(|(folder, _)| format!("{folder}/"));
            let is_named = named.contains(&entry.path);
            !is_named && !folder.is_some_and(|folder| named.contains(&folder))
        })
        .map(|entry| {
            Finding::whole(format!(
                "nothing points at `{}`; say in SKILL.md when to read it, or remove it",
                entry.path
            ))
        });
    Some(orphans.collect())
}

/// V065.
pub(super) fn long_files_have_contents(subject: &Subject<'_>) -> Findings {
    subject.body()?;
    let long = subject
        .references()
        .iter()
        .filter(|page| page.line_count() > LINES_WITHOUT_CONTENTS && !has_contents(page))
        .map(|page| {
            let lines = page.line_count();
            Finding::whole(format!(
                "`{}` has {lines} lines and no table of contents; list its sections near the top",
                page.path
            ))
        });
    Some(long.collect())
}

fn has_contents(page: &Page<'_>) -> bool {
    let near = |line: u32| line <= NEAR_THE_TOP;
    let is_titled = page
        .headings
        .iter()
        .filter(|heading| near(heading.line))
        .any(|heading| {
            let lower = heading.text.to_lowercase();
            lower == "contents" || lower.contains("table of contents") || lower == "toc"
        });
    let jumps = page
        .links
        .iter()
        .filter(|link| near(link.line) && link.target.starts_with('#'))
        .count();
    let is_labelled = page
        .prose
        .iter()
        .filter(|prose| near(prose.line()))
        .any(|prose| {
            let label = prose.text.trim().trim_end_matches(':').to_lowercase();
            label == "contents" || label == "table of contents"
        });
    is_titled || is_labelled || jumps >= 2
}

/// V066.
pub(super) fn no_file_is_empty(subject: &Subject<'_>) -> Findings {
    let empty = subject
        .texts
        .iter()
        .filter(|file| {
            !file.path.eq_ignore_ascii_case(SKILL_FILE)
                && !is_clutter(file.path)
                && file.text.trim().is_empty()
        })
        .filter(|file| !file.path.ends_with("__init__.py") && !file.path.ends_with(".gitkeep"))
        .map(|file| Finding::whole(format!("`{}` is empty; fill it, or remove it", file.path)));
    Some(empty.collect())
}

/// V069.
pub(super) fn files_are_small_and_named(subject: &Subject<'_>) -> Findings {
    subject.body()?;
    let mut findings = Vec::new();
    for page in subject.references() {
        if page.text.len() > BYTES_MAX {
            findings.push(Finding::whole(format!(
                "`{}` is larger than 1 MiB; split it",
                page.path
            )));
        }
        let tokens = tokens(page.text);
        if tokens > TOKENS_MAX {
            findings.push(Finding::whole(format!(
                "`{}` has about {tokens} tokens; keep {TOKENS_MAX} a file and split it",
                page.path
            )));
        }
        let base = page.path.rsplit('/').next().unwrap_or(page.path);
        let stem = base.split('.').next().unwrap_or(base).to_ascii_lowercase();
        let word = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '_');
        if word.is_empty() || VAGUE_FILES.contains(&word) {
            findings.push(Finding::whole(format!(
                "`{}` does not say what is in it; name it after its subject",
                page.path
            )));
        }
    }
    Some(findings)
}

/// V071.
pub(super) fn names_no_home(subject: &Subject<'_>) -> Findings {
    let mut findings = Vec::new();
    for file in subject.texts {
        let page = subject.pages.iter().find(|page| page.path == file.path);
        let is_quoted =
            |line, words: &str| page.is_some_and(|page| subject.is_quoted(page, line, words));
        for (number, line) in (1..).zip(file.text.lines()) {
            for Home { path, .. } in somebodys(line) {
                if !is_quoted(number, path) {
                    let message =
                        format!("`{path}` is a folder of somebody's machine; use a relative path");
                    findings.push(Finding::on(file.path, number, message));
                }
            }
        }
    }
    subject.skill.map(|_| findings)
}
