//! Owns the proofs against the source (V090 to V092): nothing is invented, and the source's code is kept.
//!
//! What the generator itself must write is left out of account by one rule: front matter other than the description, the
//! numbers of ordered lists, the title (it is the user's), paths of the package, and the words of [`crate::scaffold`].

use crate::scaffold::is_ours;
use crate::validate::description::description;
use crate::validate::digests::digest;
use crate::validate::evidence::Evidence;
use crate::validate::finding::{Finding, Findings};
use crate::validate::links::pointers;
use crate::validate::page::{Page, Place, Prose};
use crate::validate::subject::Subject;
use crate::validate::tokens::{addresses, flags, lines_of, numbers, paths};
use skillkiln_document::host_syntax::unescape_code;
use skillkiln_document::quick::QuickSet;
use std::collections::HashSet;

/// Share of the source's code blocks that must be kept.
const KEPT_MIN_PERCENT: usize = 90;

/// Looks for what the source does not hold.
struct Search<'s> {
    evidence: &'s Evidence,
    /// The paths of the package and their last parts.
    own: HashSet<&'s str>,
    findings: Vec<Finding>,
}

impl Search<'_> {
    fn invented(&mut self, path: &str, line: u32, kind: &str, what: &str) {
        let what: String = what.chars().take(80).collect();
        self.findings.push(Finding::on(
            path,
            line,
            format!("the {kind} `{what}` is not in the source; take it out, or correct it"),
        ));
    }

    /// Whether the source has a line of code, as it stands or before it was escaped for the hosts that load it.
    fn has_code(&self, line: &str) -> bool {
        self.evidence.has_code(line)
            || line.contains("\\$") && self.evidence.has_code(&unescape_code(line))
    }

    /// Proves what stands in running text.
    fn text(&mut self, path: &str, line: u32, text: &str, counts: bool) {
        for address in addresses(text) {
            if !self.evidence.has_address(&address) {
                self.invented(path, line, "address", &address);
                break;
            }
        }
        for flag in flags(text) {
            if !self.evidence.has_flag(flag) {
                self.invented(path, line, "flag", flag);
            }
        }
        if !text.contains("://") {
            for found in paths(text).filter(|found| is_path(found)) {
                if !self.own.contains(found) && !self.evidence.has_path(found) {
                    self.invented(path, line, "path", found);
                }
            }
        }
        for number in numbers(text).filter(|_| counts) {
            if !self.evidence.has_number(number) {
                self.invented(path, line, "number", number);
            }
        }
    }

    fn prose(&mut self, page: &Page<'_>, prose: &Prose<'_>, title: Option<u32>) {
        if prose.place == Place::Heading && title == Some(prose.line()) {
            return;
        }
        for range in prose.code() {
            let code = prose.text.get(range.clone()).unwrap_or_default();
            if !self.own.contains(code.trim()) && !self.has_code(code) {
                let kind = if code.trim().contains(char::is_whitespace) {
                    "command"
                } else {
                    "code"
                };
                self.invented(page.path, prose.line_at(range.start), kind, code);
            }
        }
        let mut start = 0;
        for line in prose.words().split_inclusive('\n') {
            if !is_ours(line) {
                self.text(page.path, prose.line_at(start), line, true);
            }
            start += line.len();
        }
    }
}

/// Whether something with a slash is a path, not two words: `and/or`.
fn is_path(found: &str) -> bool {
    let last = found.rsplit(['/', '\\']).next().unwrap_or(found);
    found.starts_with(['/', '~', '.'])
        || found.matches(['/', '\\']).count() > 1
        || last.trim_start_matches('.').contains('.')
}

/// V090.
pub(super) fn invents_nothing(subject: &Subject<'_>) -> Findings {
    let evidence = subject.evidence?;
    let entries = subject
        .package
        .entries
        .iter()
        .map(|entry| entry.path.as_str());
    let own = entries
        .flat_map(|path| {
            [
                path,
                path.rsplit('/').next().unwrap_or(path),
                path.split('/').next().unwrap_or(path),
            ]
        })
        .collect();
    let mut search = Search {
        evidence,
        own,
        findings: Vec::new(),
    };
    if let Some((text, line)) = description(subject) {
        // The description may be the user's own, and users count what the source does not.
        search.text(crate::validate::package::SKILL_FILE, line, text, false);
    }
    for (index, page) in subject.pages.iter().enumerate() {
        let title = page
            .headings
            .first()
            .filter(|heading| heading.level == 1 && index == 0)
            .map(|heading| heading.line);
        for prose in &page.prose {
            search.prose(page, prose, title);
        }
        for code in &page.codes {
            for (number, line) in (code.line + u32::from(code.is_fenced)..).zip(code.text.lines()) {
                if !line.trim().is_empty() && !search.has_code(line) {
                    search.invented(page.path, number, "code", line.trim());
                    break;
                }
            }
        }
        for link in &page.links {
            for address in addresses(&link.target) {
                if !search.evidence.has_address(&address) {
                    search.invented(page.path, link.line, "address", &address);
                    break;
                }
            }
        }
    }
    search
        .findings
        .sort_by_key(|finding| finding.line.unwrap_or(u32::MAX));
    Some(search.findings)
}

/// V091.
pub(super) fn every_sentence_has_support(subject: &Subject<'_>) -> Findings {
    let evidence = subject.evidence?;
    let mut findings = Vec::new();
    let mut check = |path: &str, line: u32, sentence: &str| {
        let said = subject.without_files(sentence);
        // Titles before the file that holds them stand apart in the source.
        let is_list = said.len() < sentence.len();
        let mut parts = said.split([',', ';', '、']);
        let is_supported =
            evidence.supports(&said) || is_list && parts.all(|part| evidence.supports(part));
        if !is_supported {
            let start: String = sentence.trim().chars().take(60).collect();
            findings.push(Finding::on(path, line, format!("nothing in the source supports `{start}`; take it out, or use the source's words")));
        }
    };
    for page in &subject.pages {
        // What a pointer names is proved where it stands.
        let pointers = pointers(page);
        let is_stated = |(index, prose): &(usize, &Prose<'_>)| {
            prose.place != Place::Heading && !pointers.contains(index)
        };
        for (_, prose) in page.prose.iter().enumerate().filter(is_stated) {
            // The titles in a line that names a source may end as sentences do.
            let (mut start, mut ours) = (0, 0);
            for sentence in sentences(&prose.text) {
                if is_ours(sentence) {
                    let rest = prose.text.get(start..).unwrap_or_default();
                    ours = start + rest.find('\n').unwrap_or(rest.len());
                }
                // What stands in the line below is the source's again.
                let behind = sentence.get(ours.saturating_sub(start)..);
                if let Some(behind) = behind.filter(|rest| !rest.trim().is_empty()) {
                    let at = start.max(ours);
                    check(page.path, prose.line_at(at), behind);
                }
                start += sentence.len();
            }
        }
    }
    Some(findings)
}

/// Pieces of running text that end in a full stop and white space.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut is_end = false;
    text.split_inclusive(move |c: char| {
        let ends = is_end && c.is_whitespace();
        is_end = matches!(c, '.' | '!' | '?') || (is_end && matches!(c, ')' | '"' | '”' | '’'));
        ends || matches!(c, '。' | '！' | '？')
    })
}

/// V092.
pub(super) fn keeps_the_code(subject: &Subject<'_>) -> Findings {
    let evidence = subject.evidence.filter(|_| subject.is_whole)?;
    let lost = lost_code(subject, evidence);
    let all = evidence.codes.len();
    let fault = ((all - lost.len()) * 100 < all * KEPT_MIN_PERCENT).then(|| {
        let first = lost.first().map_or("", |start| start.lines().next().unwrap_or_default());
        Finding::whole(format!("{} of the source's {all} code blocks are missing, the first is `{first}`; keep them in reference files", lost.len()))
    });
    Some(fault.into_iter().collect())
}

/// The beginnings of the source's code blocks that the package does not hold.
pub(super) fn lost_code<'e>(subject: &Subject<'_>, evidence: &'e Evidence) -> Vec<&'e str> {
    let mut kept: QuickSet<u64> = QuickSet::default();
    let mut keep = |code: &str| kept.extend(lines_of(code).map(|line| digest(&line)));
    for page in &subject.pages {
        for code in &page.codes {
            keep(&code.text);
            if code.text.contains("\\$") {
                keep(&unescape_code(&code.text));
            }
        }
        for prose in &page.prose {
            let spans = prose.code().iter();
            spans
                .filter_map(|range| prose.text.get(range.clone()))
                .for_each(&mut keep);
        }
    }
    evidence
        .codes
        .iter()
        .filter(|(lines, _)| !lines.iter().all(|line| kept.contains(line)))
        .map(|(_, start)| start.as_str())
        .collect()
}
