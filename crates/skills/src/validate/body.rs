//! Owns the checks on the form of the body: length, fences, headings, tables (V050 to V056).

use crate::validate::finding::{Finding, Findings};
use crate::validate::subject::Subject;

/// Most lines of the body.
const LINES_MAX: usize = 500;
/// Most tokens of the body, by estimate.
const TOKENS_MAX: usize = 5_000;

/// How many tokens a model reads `text` as, by estimate: four characters of an alphabet make one, as does each ideograph.
pub(super) fn tokens(text: &str) -> usize {
    let (mut quarters, mut whole) = (0usize, 0usize);
    for c in text.chars() {
        match c {
            '\u{2e80}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}' => whole += 1,
            _ => quarters += 1,
        }
    }
    whole + quarters.div_ceil(4)
}

/// V050.
pub(super) fn is_not_empty(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    let is_empty = body.text.trim().is_empty();
    Some(
        is_empty
            .then(|| {
                Finding::at(
                    1,
                    "there is nothing below the header; write the instructions",
                )
            })
            .into_iter()
            .collect(),
    )
}

/// V051.
pub(super) fn is_short(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    let lines = body.line_count();
    let fault = (lines > LINES_MAX).then(|| {
        Finding::whole(format!(
            "the body has {lines} lines; keep {LINES_MAX} and move the rest into reference files"
        ))
    });
    Some(fault.into_iter().collect())
}

/// V052.
pub(super) fn costs_few_tokens(subject: &Subject<'_>) -> Findings {
    let tokens = tokens(subject.body()?.text);
    let fault = (tokens > TOKENS_MAX).then(|| {
        Finding::whole(format!("the body has about {tokens} tokens; keep {TOKENS_MAX} and move the rest into reference files"))
    });
    Some(fault.into_iter().collect())
}

/// V053.
pub(super) fn fences_are_closed(subject: &Subject<'_>) -> Findings {
    let open = subject.pages.iter().flat_map(|page| {
        page.codes
            .iter()
            .filter(|code| code.is_fenced && !code.is_closed)
            .map(|code| {
                Finding::on(
                    page.path,
                    code.line,
                    "this code block never ends; put a line of backticks after it",
                )
            })
    });
    subject.skill.map(|_| open.collect())
}

/// V054.
pub(super) fn headings_are_in_order(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    let mut findings = Vec::new();
    match body.headings.first() {
        None => findings.push(Finding::whole(
            "the body has no heading; start it with `# Title`",
        )),
        Some(first) if first.level != 1 => {
            findings.push(Finding::at(
                first.line,
                "the first heading is no title; start the body with `# Title`",
            ));
        }
        Some(_) => {}
    }
    for title in body
        .headings
        .iter()
        .filter(|heading| heading.level == 1)
        .skip(1)
    {
        findings.push(Finding::at(
            title.line,
            format!("`{}` is a second title; make it a `##` heading", title.text),
        ));
    }
    for (above, heading) in body.headings.iter().zip(body.headings.iter().skip(1)) {
        if heading.level > above.level + 1 {
            let message = format!(
                "`{}` skips a level; make it a heading of level {}",
                heading.text,
                above.level + 1
            );
            findings.push(Finding::at(heading.line, message));
        }
    }
    Some(findings)
}

/// V055.
pub(super) fn fences_name_their_language(subject: &Subject<'_>) -> Findings {
    let unnamed = subject.pages.iter().flat_map(|page| {
        page.codes
            .iter()
            .filter(|code| code.is_fenced && code.language.is_none())
            .map(|code| Finding::on(page.path, code.line, "this code block does not name its language; add it after the backticks, or `text`"))
    });
    subject.skill.map(|_| unnamed.collect())
}

/// V056.
pub(super) fn rows_match_their_header(subject: &Subject<'_>) -> Findings {
    let faults = subject.pages.iter().flat_map(|page| {
        page.table_faults
            .iter()
            .map(|(line, fault)| Finding::on(page.path, *line, fault))
    });
    subject.skill.map(|_| faults.collect())
}
