//! Owns the checks on how the body is worded: what ages, what is unfinished, what would fit any skill (V057 to V059, V070, V072).

use crate::cues::POINTER;
use crate::validate::finding::{Finding, Findings};
use crate::validate::links::pointers;
use crate::validate::page::{Page, Place, Prose};
use crate::validate::subject::Subject;
use skillkiln_document::gap::is_optional;
use skillkiln_document::pattern::{AnyOf, Pattern};
use skillkiln_document::patterns;
use std::collections::HashSet;

patterns! {
    /// Wording that will be wrong one day.
    AGEING = r#"(?ix)
        \b(currently|nowadays|recently|at\ the\ moment|at\ present|as\ of\ (?:now|today
            |this\ writing|writing|v?\d|january|february|march|april|may|june|july|august|september
            |october|november|december|early|mid|late)|(?:this|last|next)\ (?:year|month)|(?:before
            |after|until|since)\ (?:january|february|march|april|may|june|july|august|september|october
            |november|december)\ (?:\d{1,2},\ )?\d{4}|in\ the\ near\ future|(?:coming|very|available
            |released)\ soon|the\ (?:latest|newest|upcoming|current)\ (?:version|release))\b"#;
    /// Something still to be written.
    UNFINISHED = r#"(?mx)
        (?: ^ | [.!?:;(\[] ) \s* (?: TODO | FIXME | TBD | XXX ) \>
        | \< (?: TODO | FIXME | TBD | XXX ) (?: : | \s* $ )
        | (?i: lorem \s+ ipsum )
        | \[ \s* (?i: add | insert | describe | your | todo | fill | enter | replace | placeholder
            | provide ) \b [^\]\n]{0,80} \]
        | \{\{ \s* (?i: placeholder | todo | insert )"#;
    /// What anything unfinished begins with: in one automaton with others, the ends of words would cost that its speed.
    BEGINNING = r"TODO|FIXME|TBD|XXX|(?i:lorem)|\[|\{\{";
    /// Wording that would fit any skill.
    FILLER = r#"(?ix)
        \b(in\ today['’]s\ (?:fast-paced|digital|modern)|it(?:['’]s|\ is)\ (?:important|worth
            |crucial|essential)\ to\ (?:note|remember|understand|mention)|it\ should\ be\ noted
            |needless\ to\ say|as\ we\ all\ know|at\ the\ end\ of\ the\ day
            |in\ order\ to\ ensure\ (?:quality|success)|follow\ (?:industry\ |general\ )?best\ practices
            |write\ (?:clean|good|high-quality|maintainable)\ code
            |handle\ (?:all\ )?errors\ (?:appropriately|gracefully|properly)|ensure\ (?:high\ )?quality
            |use\ common\ sense|be\ (?:careful|thorough|professional)\ (?:and|at\ all\ times)
            |feel\ free\ to|(?:let['’]s\ )?dive\ in(?:to)?\b|delve\ into
            |unlock\ the\ (?:full\ )?(?:power|potential)|take\ (?:it|your\ \w+)\ to\ the\ next\ level
            |this\ skill\ (?:helps|will\ help|allows)\ you|seamless(?:ly)?|game[-\ ]chang(?:er|ing)
            |cutting[-\ ]edge|in\ conclusion)"#;
    /// Several ways that are offered as equals.
    MENU = r"(?i)\b(?:use|choose|try|pick|with|consider)\b[^.;:]*,[^.;:]*,\s*or\s";
    /// The way that is recommended.
    DEFAULT = r"(?i)\b(default|prefer|recommend|start with|usually|unless|otherwise|instead|if|when|for)\b";
    /// A step that looks at the result.
    CHECKING = r#"(?ix)
        \b(verif\w*|check\w*|confirm\w*|test\w*|validat\w*|ensure\w*|make\ sure|expect\w*
            |should\ (?:see|show|print|return|be|now)|inspect\w*|review\w*|compare\w*|assert\w*)\b"#;
}

/// What any of the checks on wording looks for in the words of a text, and the one for pointers: most texts hold none of it, and are
/// read once for all of them.
static ODDITIES: AnyOf = AnyOf::new(&[&AGEING, &BEGINNING, &FILLER, &POINTER]);

/// Whether the words of a text may hold anything that a check on wording or pointers looks for.
pub(super) fn may_be_odd(prose: &Prose<'_>) -> bool {
    prose.is_suspect(|words| ODDITIES.is_match(words))
}

/// Most matches on a page: a search may look ahead to the end, so that their number must not grow with the text.
const MATCHES_MAX: usize = 100;
/// How much of each piece of running text at a procedure's end is looked at.
const END_CHARS: usize = 1_000;

/// Terms that mean one thing, of which a skill should use one.
const TWINS: [(&str, &str); 4] = [
    ("folder", "directory"),
    ("api endpoint", "api route"),
    ("command-line flag", "command-line switch"),
    ("config file", "configuration file"),
];

/// Findings where a pattern matches the running text of a page that is not the source's own. In a generated skill a pointer calls
/// sections as the source does.
fn unquoted(
    subject: &Subject<'_>,
    page: &Page<'_>,
    pattern: &Pattern,
    message: impl Fn(&str) -> String,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !page.prose.iter().any(may_be_odd) {
        return findings;
    }
    let named = match subject.is_generated() {
        true => pointers(page),
        false => HashSet::new(),
    };
    let stated = page.prose.iter().enumerate();
    for (_, prose) in stated.filter(|(index, _)| !named.contains(index)) {
        if !may_be_odd(prose) {
            continue;
        }
        let words = prose.words();
        let is_gap = |found: &str| !is_optional(found.trim().trim_matches(['[', ']']));
        for found in pattern
            .find_iter(&words)
            .filter(|found| is_gap(found.as_str()))
            .take(MATCHES_MAX.saturating_sub(findings.len()))
        {
            let line = prose.line_at(found.start());
            if subject.quotes(page, prose, found.start()) {
                continue;
            }
            findings.push(Finding::on(page.path, line, message(found.as_str().trim())));
        }
    }
    findings
}

/// V057.
pub(super) fn does_not_age(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    Some(unquoted(subject, body, &AGEING, |found| {
        format!("`{found}` will be wrong one day; name the version, or leave it out")
    }))
}

/// V058.
pub(super) fn offers_a_default_and_keeps_its_terms(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    let mut findings = Vec::new();
    for prose in body.prose.iter().filter(|prose| prose.place != Place::Cell) {
        // What has no two commas is no list, and most texts are none.
        let commas = prose.text.bytes().filter(|byte| *byte == b',').count();
        if commas > 1
            && let Some(menu) = MENU
                .find(&prose.text)
                .filter(|_| !DEFAULT.is_match(&prose.text))
        {
            let line = prose.line_at(menu.start());
            findings.push(Finding::at(
                line,
                "several ways are offered as equals; name the one to take first",
            ));
        }
    }
    let mut lower = String::with_capacity(body.text.len());
    for prose in &body.prose {
        let words = prose.words();
        match words.is_ascii() {
            true => lower.push_str(&words),
            false => lower.push_str(&words.to_lowercase()),
        }
        lower.push(' ');
    }
    lower.make_ascii_lowercase();
    let has = |term: &str| {
        lower.contains(term)
            && lower
                .split(|c: char| !c.is_alphanumeric() && c != '-')
                .any(|word| word == term)
    };
    for (one, other) in TWINS {
        let both = if one.contains(' ') {
            lower.contains(one) && lower.contains(other)
        } else {
            has(one) && has(other)
        };
        if both {
            findings.push(Finding::whole(format!(
                "`{one}` and `{other}` are both used; keep one of them"
            )));
        }
    }
    Some(findings)
}

/// V059.
pub(super) fn procedures_end_in_a_check(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    let mut findings = Vec::new();
    for procedure in body
        .procedures
        .iter()
        .filter(|procedure| procedure.items >= 3)
    {
        let end: String = body
            .prose
            .iter()
            .skip(procedure.last)
            .take(6)
            .flat_map(|prose| prose.text.chars().take(END_CHARS).chain([' ']))
            .collect();
        if !CHECKING.is_match(&end) {
            findings.push(Finding::at(
                procedure.line,
                "these steps end without a check; say how to tell that they worked",
            ));
        }
    }
    Some(findings)
}

/// V070.
pub(super) fn is_finished(subject: &Subject<'_>) -> Findings {
    let unfinished = subject.pages.iter().flat_map(|page| {
        unquoted(subject, page, &UNFINISHED, |found| {
            format!("`{found}` is still here; write what belongs there")
        })
    });
    subject.skill.map(|_| unfinished.collect())
}

/// V072.
pub(super) fn has_no_filler(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    Some(unquoted(subject, body, &FILLER, |found| {
        format!("`{found}` would fit any skill; leave it out, or say what is special here")
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_any_check_looks_for_is_odd_and_ordinary_words_are_not() {
        for words in [
            "It currently burns.",
            "TODO: burn it",
            "then: XXX",
            "[ insert the name here ]",
            "{{ todo }}",
            "Lorem  ipsum",
            "It is important to note that it burns.",
            "as shown above",
        ] {
            let each = [&AGEING, &UNFINISHED, &FILLER, &POINTER];
            assert!(each.iter().any(|one| one.is_match(words)), "{words}");
            assert!(ODDITIES.is_match(words), "{words}");
        }
        assert!(!ODDITIES.is_match("The kiln burns, and nobody opens it before it is cold."));
    }
}
