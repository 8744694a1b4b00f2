//! Owns the checks on what the files of a skill have in common (V104, V105): each says something of its own, on one subject.

use crate::validate::digests::digest_of_words;
use crate::validate::finding::{Finding, Findings};
use crate::validate::page::{Page, Place};
use crate::validate::subject::Subject;
use skillkiln_document::text::squash;
use std::collections::{HashMap, HashSet};

/// Shortest paragraph that is compared, in words.
const WORDS_MIN: usize = 8;
/// A file of fewer paragraphs is no file that could be repeated.
const PARAGRAPHS_MIN: usize = 3;
/// So much of a reference may stand in SKILL.md, in percent: the rest is why it is there.
const COMMON_PERCENT_MAX: usize = 90;

/// V104.
pub(super) fn references_have_one_subject(subject: &Subject<'_>) -> Findings {
    subject.body()?;
    let mut findings = Vec::new();
    let mut titles: HashMap<String, &str> = HashMap::new();
    for page in subject.references() {
        let mut titled = page.headings.iter().filter(|heading| heading.level == 1);
        let first = titled.next();
        if let Some(second) = titled.next() {
            let message = "a second title stands here; put what is below it into a file of its own";
            findings.push(Finding::on(page.path, second.line, message));
        }
        let title = first.map_or_else(String::new, |heading| squash(&heading.text).to_lowercase());
        if title.is_empty() {
            continue;
        }
        match titles.get(&title) {
            Some(other) => findings.push(Finding::whole(format!(
                "`{}` has the title of `{other}`; make them one, or say in the titles what parts them",
                page.path
            ))),
            None => {
                titles.insert(title, page.path);
            }
        }
    }
    Some(findings)
}

/// V105.
pub(super) fn body_repeats_no_reference(subject: &Subject<'_>) -> Findings {
    let body: HashSet<u64> = paragraphs(subject.body()?).collect();
    let mut findings = Vec::new();
    for page in subject.references() {
        let all: HashSet<u64> = paragraphs(page).collect();
        let common = all.iter().filter(|one| body.contains(one)).count();
        if all.len() >= PARAGRAPHS_MIN && common * 100 > all.len() * COMMON_PERCENT_MAX {
            findings.push(Finding::whole(format!(
                "{common} of the {} paragraphs of `{}` stand in SKILL.md too; keep them in one of the two",
                all.len(),
                page.path
            )));
        }
    }
    Some(findings)
}

/// The paragraphs, items and cells of a page and the lines of its listings that say something, by their words.
fn paragraphs<'p>(page: &'p Page<'_>) -> impl Iterator<Item = u64> + 'p {
    let prose = page.prose.iter();
    let listed = page.codes.iter().flat_map(|code| code.text.lines());
    let listed = listed.filter(|line| line.split_whitespace().nth(1).is_some());
    let listed = listed.map(digest_of_words);
    prose
        .filter(|prose| matches!(prose.place, Place::Paragraph | Place::Item | Place::Cell))
        .filter(|prose| prose.text.split_whitespace().count() >= WORDS_MIN)
        .map(|prose| digest_of_words(&prose.text))
        .chain(listed)
}
