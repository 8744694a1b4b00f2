//! Owns the checks on what must not be lost on the way from a source (V106 to V108): what it lacks is said, steps keep their commands, and
//! examples the marks that tell good from bad.

use crate::scaffold::GAPS;
use crate::validate::digests::{digest, digest_of_words};
use crate::validate::finding::{Finding, Findings};
use crate::validate::page::{Page, Place, Prose};
use crate::validate::shapes::{Shapes, code_digest};
use crate::validate::subject::Subject;
use crate::validate::tokens::lines_of;
use skillkiln_document::host_syntax::unescape_code;
use skillkiln_document::quick::QuickSet;

/// V106.
pub(super) fn says_what_the_source_lacks(subject: &Subject<'_>) -> Findings {
    let shapes = shapes(subject).filter(|_| subject.is_whole)?;
    let body = subject.body()?;
    let start = body.headings.iter().find(|heading| heading.text == GAPS);
    let start = start.map_or(u32::MAX, |heading| heading.line);
    let said: Vec<&Prose<'_>> = body.prose.iter().filter(|one| one.line() > start).collect();
    let is_lost = |name: &&String| !said.iter().any(|prose| prose.text.contains(name.as_str()));
    let lost = shapes.missing.iter().filter(is_lost);
    Some(
        lost.map(|name| {
            Finding::whole(format!(
                "the source names `{name}` and does not hold it; say so under a heading `{GAPS}`, or make the skill of a source that has it"
            ))
        })
        .collect(),
    )
}

/// V107.
pub(super) fn procedures_are_whole(subject: &Subject<'_>) -> Findings {
    let shapes = shapes(subject)?;
    let mut findings = Vec::new();
    for page in &subject.pages {
        let shown = first_lines(page);
        for prose in page.prose.iter().filter(|one| one.place == Place::Item) {
            let step = digest_of_words(&prose.text);
            if !shapes.is_whole(step, |line| shown.contains(&line)) {
                let start: String = prose.text.trim().chars().take(60).collect();
                findings.push(Finding::on(
                    page.path,
                    prose.line(),
                    format!("the step `{start}` stands here without the command that the source gives it; add it"),
                ));
            }
        }
    }
    // Of the body alone: a file may hold a long procedure from where another one left it.
    if let Some(body) = subject.body() {
        for list in &body.procedures {
            let at = body.prose.partition_point(|one| one.line() < list.line);
            let first = body.prose.get(at).map(|one| digest_of_words(&one.text));
            let all = first.and_then(|first| shapes.lengths.get(&first));
            if let Some(all) = all.filter(|all| **all > list.items) {
                findings.push(Finding::at(
                    list.line,
                    format!("{} of the {all} steps stand here; add the others, or leave the procedure to a reference", list.items),
                ));
            }
        }
    }
    Some(findings)
}

/// V108.
pub(super) fn examples_keep_their_marks(subject: &Subject<'_>) -> Findings {
    let shapes = shapes(subject)?;
    let mut findings = Vec::new();
    for page in &subject.pages {
        for code in &page.codes {
            let known = shapes.marks.get(&code_digest(&unescape_code(&code.text)));
            let Some(Some(mark)) = known else { continue };
            let after = page.prose.partition_point(|one| one.line() < code.line);
            let above = after.checked_sub(1).and_then(|at| page.prose.get(at));
            if above.is_none_or(|above| digest_of_words(&above.text) != *mark) {
                findings.push(Finding::on(
                    page.path,
                    code.line,
                    "the source marks this example as good or bad, and the mark is lost; put it above the example",
                ));
            }
        }
    }
    Some(findings)
}

fn shapes<'s>(subject: &'s Subject<'_>) -> Option<&'s Shapes> {
    subject.evidence.map(|evidence| &evidence.shapes)
}

/// The lines of the code of a page: a block that was cut begins within another.
fn first_lines(page: &Page<'_>) -> QuickSet<u64> {
    let mut shown = QuickSet::default();
    for code in &page.codes {
        shown.extend(lines_of(&unescape_code(&code.text)).map(|line| digest(&line)));
    }
    shown
}
