//! Owns the checks for text that should not have been taken over: repeated, out of its context, or a page's furniture (V093 to V095).

use crate::cues::POINTER;
use crate::scaffold::{CONTENTS, DECISIONS, is_ours};
use crate::validate::digests::digest_of_words;
use crate::validate::digests::{digest, steady_digest};
use crate::validate::finding::{Finding, Findings};
use crate::validate::links::pointers;
use crate::validate::page::{Page, Place, Prose};
use crate::validate::subject::Subject;
use crate::validate::wording::may_be_odd;
use skillkiln_document::pattern::AnyOf;
use skillkiln_document::patterns;
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::lower_into;
use std::collections::HashMap;

/// Shortest paragraph that is compared, in words.
const WORDS_MIN: usize = 12;
/// Longest name of an entry.
const NAME_CHARS_MAX: usize = 160;
/// Words in a shingle, and numbers in a signature.
const SHINGLE: usize = 3;
const SIGNATURE: usize = 24;
/// Numbers that two signatures must share to fall into one bucket.
const BAND: usize = 3;
/// Equal numbers of two signatures that make paragraphs near-duplicates.
const ALIKE: usize = 20;

patterns! {
    /// Furniture, wherever it stands.
    FURNITURE = r#"(?ix)
        \b(?:(?:accept|reject|allow|manage)\ all\ (?:the\ )?cookies|(?:this
            |our)\ (?:web)?site\ uses\ cookies|we\ (?:and\ our\ partners\ )?use\ cookies
            |cookie\ (?:preferences|settings|consent)|subscribe\ to\ (?:our|my)\ (?:newsletter
            |channel|blog|mailing\ list)|sign\ up\ (?:for|to)\ (?:our|the)\ newsletter
            |join\ our\ (?:newsletter|mailing\ list)|like\ and\ subscribe|smash\ that\ like
            |hit\ the\ (?:like|bell|subscribe)|skip\ to\ (?:main\ )?content|jump\ to\ (?:main\ )?content
            |was\ this\ (?:page|article|helpful)|did\ you\ find\ this\ (?:page
            |article|helpful)|edit\ this\ page(?:\ on)?|improve\ this\ page
            |share\ (?:this\ )?on\ (?:twitter|facebook|linkedin|x)|follow\ us\ on
            |click\ here\ to\ subscribe
            |enable\ javascript|sponsored\ content
            |all\ rights\ reserved\W+(?:privacy|terms|cookies?|site\ ?map|contact|legal)
            |(?:privacy\ policy|terms\ of\ (?:service|use)|cookies?|site\ ?map)\b.{0,80}\ball\ rights\ reserved)\b
        |(?:^|[.!?|]\ |\b(?:can|may)\ )\W*unsubscribe\ at\ any\ time\b
        |(?:^|[.!?|]\ )\W*toggle\ (?:navigation|menu|sidebar|the\ table\ of\ contents)\b"#;
    /// Furniture, when it is all that a line says.
    BARE_FURNITURE = r#"(?ix)
        ^\W*(?:(?:home|menu|navigation|search|log\ ?in|sign\ ?in|sign\ ?up|register|subscribe|share
            |tweet|previous|prev|next|previous\ (?:page|topic|article)|next\ (?:page|topic|article)
            |on\ this\ page|in\ this\ article|privacy\ policy|terms\ of\ (?:service|use)|privacy
            |contact\ us|about\ us|cookie\ policy|report\ (?:a\ bug|an\ issue)|show\ source|view\ source
            |copy\ link|print\ this\ page|loading)(?:\W+|$)){2,}$
        |(?i)^\W*(?:privacy\ policy|terms\ of\ (?:service|use)|cookie\ policy|on\ this\ page
            |(?:subscribe\ to|join)\ the\ (?:newsletter|channel|blog|mailing\ list)
            |subscribe|advertisement|back\ to\ top|show\ source|copy\ link|print\ this\ page|contact\ us|next\ page
            |previous\ page|(?:accept|reject|allow|manage)\ (?:the\ )?cookies|related\ (?:posts|articles)|read\ more\ articles)\W*$"#;
}

/// Furniture of either kind: most texts have none, and neither pattern need be compiled for them, which takes a millisecond.
static MAY_BE_FURNITURE: AnyOf = AnyOf::new(&[&FURNITURE, &BARE_FURNITURE]);

/// V093.
pub(super) fn says_nothing_twice(subject: &Subject<'_>) -> Findings {
    let mut findings = Vec::new();
    let body = subject.body()?;
    // SKILL.md quotes what its references hold in full; within it, nothing stands twice. A reference is complete: what holds
    // for two of its sections or entries stands in both, and only within one of them nothing stands twice.
    repeated(subject, body, false, &mut findings);
    for page in subject.references() {
        repeated(subject, page, true, &mut findings);
    }
    Some(findings)
}

/// Finds near-duplicates by min-hash: each paragraph is compared with the first one of each bucket that it falls into.
fn repeated(
    subject: &Subject<'_>,
    page: &Page<'_>,
    is_by_section: bool,
    findings: &mut Vec<Finding>,
) {
    let mut buckets: QuickMap<(usize, u64), usize> = QuickMap::default();
    let mut seen: Vec<Paragraph<'_>> = Vec::new();
    let mut times: HashMap<u64, usize> = HashMap::new();
    let mut is_contents = false;
    let mut section = 0;
    let pointers = pointers(page);
    // Where the list began that an item stands in: what differs from another of its items in one word says that word.
    let mut list = usize::MAX;
    for (index, prose) in page.prose.iter().enumerate() {
        let named = named(prose);
        list = match prose.place {
            Place::Item => list.min(seen.len()),
            _ => usize::MAX,
        };
        if prose.place == Place::Heading {
            // What was decided is told first, and again where it was said.
            is_contents = [CONTENTS, DECISIONS].contains(&prose.text.trim());
            section += 1;
        }
        if is_by_section && (prose.place == Place::Heading || named.is_some()) {
            buckets.clear();
            seen.clear();
            list = 0;
        }
        // Entries that lead to headings of the same words are told apart by where they lead.
        if is_contents
            || pointers.contains(&index)
            || !matches!(prose.place, Place::Paragraph | Place::Item)
        {
            continue;
        }
        let Some(signature) = signature(&prose.text).filter(|_| !is_ours(&prose.text)) else {
            continue;
        };
        let own = seen.len();
        let mut twin = None;
        for (band, numbers) in signature.chunks(BAND).enumerate() {
            let first = *buckets.entry((band, digest(numbers))).or_insert(own);
            if let Some(other) = seen.get(first)
                && (named.is_none() || named == other.named)
                && !(first >= list
                    && digest_of_words(&prose.text) != digest_of_words(&other.prose.text))
                && codes(prose).eq(codes(other.prose))
            {
                let equal = signature
                    .iter()
                    .zip(other.signature)
                    .filter(|(one, other)| **one == *other)
                    .count();
                twin = twin.or((equal >= ALIKE).then_some(other));
            }
        }
        let own = Paragraph {
            signature,
            named,
            prose,
            section,
        };
        if let Some(twin) = twin
            && !own.is_the_sources(twin, subject, page, &mut times)
        {
            let line = twin.prose.line();
            let message = format!("this paragraph says what line {line} says; keep one of them");
            findings.push(Finding::on(page.path, prose.line(), message));
        }
        seen.push(own);
    }
}

/// A paragraph that others are compared with.
struct Paragraph<'p> {
    signature: [u64; SIGNATURE],
    named: Option<&'p str>,
    prose: &'p Prose<'p>,
    /// In the how manieth section it stands.
    section: usize,
}

impl Paragraph<'_> {
    /// Whether it is the source that says both, as often as the page does.
    fn is_the_sources(
        &self,
        twin: &Paragraph<'_>,
        subject: &Subject<'_>,
        page: &Page<'_>,
        times: &mut HashMap<u64, usize>,
    ) -> bool {
        let is_quoted = |prose: &Prose<'_>| subject.is_quoted(page, prose.line(), &prose.text);
        let words = digest_of_words(&self.prose.text);
        if words != digest_of_words(&twin.prose.text) {
            return is_quoted(self.prose) && is_quoted(twin.prose);
        }
        let times = times.entry(words).or_insert(1);
        *times += 1;
        let text = &self.prose.text;
        subject.quotes_at(page, self.prose.line())
            && subject.evidence.is_none_or(|evidence| {
                // What holds for two sections of the source may be quoted in both, of each paragraph as far as there is room.
                let is_elsewhere = self.section != twin.section;
                // What leads to something else each time says something else each time.
                let leads = text.trim_end().ends_with(':');
                evidence.says(text) && (is_elsewhere || leads || *times <= evidence.times(text))
                    || evidence.goes_round(text)
            })
    }
}

/// The code in a paragraph. What is said of `a..b` and of `a..=b` in the same words is said of two things.
fn codes<'p>(prose: &'p Prose<'_>) -> impl Iterator<Item = &'p str> {
    prose
        .code()
        .iter()
        .filter_map(|range| prose.text.get(range.clone()))
}

/// What an item of a list speaks of, when it says so first, as entries do: `--quiet: print nothing`. The entries of two options
/// may well say the same of both.
fn named<'p>(prose: &'p Prose<'_>) -> Option<&'p str> {
    if prose.place != Place::Item {
        return None;
    }
    let (name, _) = prose.text.split_once(": ")?;
    (name.chars().count() <= NAME_CHARS_MAX).then_some(name)
}

/// The smallest digest of a paragraph's shingles under each of several orders.
fn signature(text: &str) -> Option<[u64; SIGNATURE]> {
    let mut lower = String::new();
    let words: Vec<u64> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| {
            lower_into(word, &mut lower);
            steady_digest(lower.as_str())
        })
        .collect();
    if words.len() < WORDS_MIN {
        return None;
    }
    let mut signature = [u64::MAX; SIGNATURE];
    for shingle in words.windows(SHINGLE) {
        let mut order = steady_digest(shingle);
        for least in &mut signature {
            // Each step of this generator gives another order on the shingles.
            order =
                order.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) ^ 0x5851_f42d_4c95_7f2d;
            *least = (*least).min(order);
        }
    }
    Some(signature)
}

/// Findings where running text of a page is worded so.
fn worded(
    page: &Page<'_>,
    find: impl Fn(&Prose<'_>) -> Option<(usize, String)>,
    findings: &mut Vec<Finding>,
) {
    for prose in &page.prose {
        if let Some((at, message)) = find(prose) {
            findings.push(Finding::on(page.path, prose.line_at(at), message));
        }
    }
}

/// V094.
pub(super) fn keeps_its_context(subject: &Subject<'_>) -> Findings {
    let body = subject.body()?;
    let mut findings = Vec::new();
    let pointer = |prose: &Prose<'_>| {
        // Without its links, a text may say what it does not say with them.
        if !prose.has_links() && !may_be_odd(prose) {
            return None;
        }
        let words = prose.outside();
        let found = POINTER.find(&words)?;
        // The steps of a list keep each other's company.
        let is_step = prose.place == Place::Item && found.as_str().ends_with("step");
        let line = prose.line_at(found.start());
        if is_step
            || is_kept(body, line, found.as_str())
            || subject.quotes(body, prose, found.start())
        {
            return None;
        }
        Some((
            found.start(),
            format!(
                "`{}` points at what is not here; name it, or leave it out",
                found.as_str()
            ),
        ))
    };
    // A reference file keeps whole sections, and what they point at with them.
    worded(body, pointer, &mut findings);
    for line in &body.cut_off {
        findings.push(Finding::at(
            *line,
            "this line ends in a colon, but nothing follows; add what it announces, or end it",
        ));
    }
    findings.sort_by_key(|finding| finding.line);
    Some(findings)
}

/// Whether what a pointer points at can be the code block that stands before or after it in the same section.
fn is_kept(page: &Page<'_>, line: u32, pointer: &str) -> bool {
    let pointer = pointer.to_lowercase();
    let section = page.headings.partition_point(|heading| heading.line < line);
    let start = section
        .checked_sub(1)
        .and_then(|heading| page.headings.get(heading))
        .map_or(0, |heading| heading.line);
    let end = page
        .headings
        .get(section)
        .map_or(u32::MAX, |heading| heading.line);
    let code = page.codes.partition_point(|code| code.line < line);
    let (wanted, is_within) = if pointer.contains("below") {
        (Some(code), line..end)
    } else {
        (code.checked_sub(1), start..line)
    };
    let names_code = ["example", "code", "command", "snippet", "listing"];
    names_code.iter().any(|word| pointer.contains(word))
        && wanted
            .and_then(|code| page.codes.get(code))
            .is_some_and(|code| is_within.contains(&code.line))
}

/// V095.
pub(super) fn holds_no_furniture(subject: &Subject<'_>) -> Findings {
    let mut findings = Vec::new();
    for page in &subject.pages {
        let furniture = |prose: &Prose<'_>| {
            let words = prose.words();
            if !MAY_BE_FURNITURE.is_match(&words) {
                return None;
            }
            let bare = || {
                // What announces something is the text's own.
                let is_bare = words.len() < 400
                    // An entry says what its term means: `y`: Print this page.
                    && named(prose).is_none()
                    && !words.trim_end().ends_with(':')
                    && !matches!(prose.place, Place::Cell | Place::Heading);
                BARE_FURNITURE.find(&words).filter(|_| is_bare)
            };
            let found = FURNITURE.find(&words).or_else(bare)?;
            let what: String = found.as_str().trim().chars().take(60).collect();
            Some((
                found.start(),
                format!("`{what}` belongs to the page's frame, not to the skill; remove it"),
            ))
        };
        worded(page, furniture, &mut findings);
    }
    subject.skill.map(|_| findings)
}
