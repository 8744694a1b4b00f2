//! Owns the checks for what could harm whoever loads the skill (V080 to V085). They read every text file, code included.

use crate::scaffold::CAUTION;
use crate::validate::finding::{Finding, Findings};
use crate::validate::subject::Subject;
use skillkiln_document::orders::{
    DESTRUCTIVE, LABEL, OVERRIDE, PIPED, ROLE, TURN, goes_on, is_order, may_run_or_destroy,
};
use skillkiln_document::patterns;
use skillkiln_document::secret::{self, is_masked, is_random, opens_key};
use skillkiln_document::unseen::{is_unseen, joins};
use std::borrow::Cow;

/// Longest run of base64 or hexadecimal digits that is no blob: a digest of 512 bits fits.
const RUN_MAX: usize = 200;
/// Longest command that is followed over several lines.
const COMMAND_BYTES_MAX: usize = 2_000;
/// A shorter line is none of wrapped base64, and holds no run.
const WRAPPED_BYTES_MIN: usize = 60;
/// So many full lines of base64 one after another are a blob too.
const WRAPPED_LINES_MAX: usize = 3;

patterns! {
    /// Keys and tokens whose form gives them away.
    TOKEN = secret::TOKEN_FORM;
    /// A secret by the name of what it is given to.
    GIVEN = r#"(?ix)
        \b(?:[a-z0-9]+[_-])*(?:api[_-]?key|secret(?:[_-]?key)?|access[_-]?key|private[_-]?key
            |auth[_-]?token|access[_-]?token|token|password|passwd|pwd)\b["']?\s*(?:[:=]|=>
            |:=)\s*["']([^"'\s]{16,})["']"#;
    /// The password of an address.
    IN_ADDRESS = r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:([^\s/@]{8,})@[A-Za-z0-9]";
    /// Words that make a secret an example.
    EXAMPLE = secret::EXAMPLE_WORDS;
    /// The same anywhere inside a comment.
    HIDDEN_LABEL = r#"(?ix)
        \b(?:system|assistant|human|user|developer|admin)(?:[\ _-](?:prompt|message|instruction
            |override))?[\ \t]*:"#;
    /// Something that a comment tells the reader to do.
    HIDDEN_ORDER = r#"(?ix)
        \b(?:you\ (?:must|should|shall|will|are|need\ to|have\ to)|do\ not\ (?:tell|mention|reveal
            |inform|show|ask)|don['’]t\ (?:tell|mention|reveal|inform|show|ask)
            |instructions?\b.{0,40}\b(?:follow|obey|execute|ai|agent|model|assistant|claude)|(?:ai
            |agents?|assistants?|claude|llms?|models?)\b.{0,40}\b(?:must|should|shall|please|always
            |never|run|execute|ignore)|(?:please\ |always\ |secretly\ |silently\ |first,?\ )?(?:execute
            |exfiltrate|curl|wget|send\ (?:the|all|your|any|it|this)|upload\ (?:the|all|your|any)
            |delete\ (?:the|all|your|any)|run\ (?:the|this|these|any|all|`)|read\ (?:the|all|your
            |any)\ (?:secret|key|credential|env|file|ssh|password))|ignore\ (?:the|all|any|this
            |everything)|always\ (?:respond|answer|reply|say|add|include|use|run)|never\ (?:tell|mention
            |reveal|say|ask|refuse))"#;
    /// A run of base64 or hexadecimal digits.
    RUN = r#"[A-Za-z0-9+/_-]{80,}={0,2}"#;
    /// A whole line of wrapped base64.
    WRAPPED = r#"^[ \t>]*[A-Za-z0-9+/]{60,}={0,2}[ \t]*$"#;
}

/// Makes a check on every line of every text file that may have a fault, and on what follows it there.
fn each_line(
    subject: &Subject<'_>,
    is_suspect: impl Fn(&str) -> bool,
    mut fault: impl FnMut(u32, &str, &str) -> Option<String>,
) -> Findings {
    let mut findings = Vec::new();
    for file in subject.texts {
        if !is_suspect(&file.text) {
            continue;
        }
        let mut rest: &str = file.text.as_ref();
        for (number, line) in (1..).zip(file.text.lines()) {
            rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
            if let Some(message) = fault(number, line, rest) {
                findings.push(Finding::on(file.path, number, message));
            }
        }
    }
    subject.skill.map(|_| findings)
}

fn start_of(text: &str) -> String {
    let mut start: String = text.trim().chars().take(60).collect();
    start.retain(|c| !c.is_control());
    start
}

/// V080.
pub(super) fn holds_no_secret(subject: &Subject<'_>) -> Findings {
    // What is left out of a skill is found in the same places, and in some more.
    each_line(subject, secret::may_be_in, |_, line, rest| {
        let is_first_line = |token: &regex::Match<'_>| {
            let after = line.get(token.end()..).unwrap_or_default();
            let after = if after.contains(char::is_alphanumeric) {
                after
            } else {
                rest
            };
            token.as_str().starts_with("-----BEGIN") && !opens_key(after)
        };
        let found = TOKEN
            .find_iter(line)
            .filter(|token| !is_first_line(token))
            .map(|found| found.as_str())
            .find(|token| !is_masked(token))
            .or_else(|| {
                GIVEN
                    .captures_iter(line)
                    .chain(IN_ADDRESS.captures_iter(line))
                    .filter_map(|found| found.get(1))
                    .map(|value| value.as_str())
                    .find(|value| is_random(value) && !EXAMPLE.is_match(value))
            })?;
        let start: String = found.chars().take(6).collect();
        Some(format!(
            "a secret (`{start}...`) stands here; remove it and revoke it"
        ))
    })
}

/// Blanks HTML comments out, byte for byte: what is hidden there is V082's.
fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("<!--") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find("<!--") {
        let (before, tail) = rest.split_at(open);
        out.push_str(before);
        let end = tail.find("-->").map_or(tail.len(), |end| end + 3);
        let (comment, after) = tail.split_at(end);
        out.extend(comment.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// V081.
pub(super) fn overrides_no_instruction(subject: &Subject<'_>) -> Findings {
    let mut findings = Vec::new();
    for file in subject.texts {
        let shown = without_comments(&file.text);
        let is_other = matches!(shown, Cow::Owned(_));
        let is_suspect = is_order(&file.text) || is_other && is_order(&shown);
        if !is_suspect {
            continue;
        }
        let overridden = OVERRIDE
            .find_iter(&file.text)
            .chain(ROLE.find_iter(&file.text))
            .chain(TURN.find_iter(&file.text));
        let labelled = LABEL
            .find_iter(&shown)
            .filter(|found| !is_term(&shown, found.start()));
        let mut found: Vec<(u32, String)> = overridden
            .map(|found| {
                (
                    line_of(&file.text, found.start(), found.as_str()),
                    start_of(found.as_str()),
                )
            })
            .chain(labelled.map(|found| {
                (
                    line_of(&shown, found.start(), found.as_str()),
                    start_of(found.as_str()),
                )
            }))
            .take(100)
            .collect();
        found.sort();
        for (line, what) in found {
            findings.push(Finding::on(
                file.path,
                line,
                format!("`{what}` gives orders to whoever loads the skill; remove it"),
            ));
        }
    }
    subject.skill.map(|_| findings)
}

/// Whether a line that a label begins is one of a list of terms and what they mean: the item before or behind it is one as well.
fn is_term(text: &str, at: usize) -> bool {
    let term = |line: &&str| {
        let marked = |open: &str, close: &str| {
            line.strip_prefix(open)
                .and_then(|rest| rest.split_once(close))
                .is_some_and(|(term, _)| !term.is_empty() && !term.contains(['*', '`']))
        };
        marked("- **", "**:") || marked("- `", "`:")
    };
    let is_item = |line: &&str| line.starts_with("- ");
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    let mut behind = rest.lines();
    let own = behind.next();
    let is_other = |line: &&str| term(line) && !LABEL.is_match(line);
    own.as_ref().is_some_and(term)
        && (behind.find(is_item).as_ref().is_some_and(is_other)
            || before
                .lines()
                .rev()
                .find(is_item)
                .as_ref()
                .is_some_and(is_other))
}

/// The line on which a match starts, past the line breaks it may open with. Called for a bounded number of matches.
fn line_of(text: &str, start: usize, found: &str) -> u32 {
    let blank = found.len() - found.trim_start().len();
    let before = text.get(..start + blank).unwrap_or_default();
    u32::try_from(before.bytes().filter(|byte| *byte == b'\n').count())
        .unwrap_or(u32::MAX)
        .saturating_add(1)
}

/// V082.
pub(super) fn hides_no_instruction(subject: &Subject<'_>) -> Findings {
    let hidden = subject.pages.iter().flat_map(|page| {
        page.comments.iter().filter_map(|(comment, line)| {
            let is_order = [&OVERRIDE, &ROLE, &TURN, &HIDDEN_LABEL, &HIDDEN_ORDER].iter().any(|pattern| pattern.is_match(comment));
            is_order.then(|| {
                let message = format!("the comment `{}` tells agents what to do where people do not see it; remove it", start_of(comment));
                Finding::on(page.path, *line, message)
            })
        })
    });
    subject.skill.map(|_| hidden.collect())
}

/// V083.
pub(super) fn shows_every_character(subject: &Subject<'_>) -> Findings {
    let mut findings = Vec::new();
    for file in subject.texts {
        let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
        for (number, line) in (1..).zip(text.lines()) {
            if line.is_ascii() {
                continue;
            }
            let mut previous = ' ';
            let mut rest = line.chars().peekable();
            while let Some(c) = rest.next() {
                let next = rest.peek().copied().unwrap_or(' ');
                if is_unseen(c) && !joins(c, previous, next) {
                    let message = format!(
                        "an invisible character (U+{:04X}) stands here; remove it",
                        u32::from(c)
                    );
                    findings.push(Finding::on(file.path, number, message));
                    break;
                }
                previous = c;
            }
        }
    }
    subject.skill.map(|_| findings)
}

/// V084.
pub(super) fn runs_nothing_unseen_or_destructive(subject: &Subject<'_>) -> Findings {
    let mut carried = String::new();
    let is_suspect = |text: &str| goes_on(text) || may_run_or_destroy(text);
    let mut warned = Warned::default();
    each_line(subject, is_suspect, |number, line, _| {
        warned.read(number, line);
        // A command may go on after a backslash; what it says so far is carried on, within bounds.
        carried.push_str(line);
        let command = std::mem::take(&mut carried);
        if let Some(start) = command
            .strip_suffix('\\')
            .filter(|start| start.len() < COMMAND_BYTES_MAX)
        {
            carried = format!("{start} ");
        }
        if warned.is_said() {
            return None;
        }
        if let Some(found) = PIPED.find(&command) {
            carried.clear();
            let start = start_of(found.as_str());
            return Some(format!(
                "`{start}` runs what the network sends, unseen; download, look, then run, or put a caution above it"
            ));
        }
        let found = DESTRUCTIVE.find(&command)?;
        carried.clear();
        Some(format!(
            "`{}` destroys more than its own work; narrow it, or put a caution above it",
            start_of(found.as_str())
        ))
    })
}

/// Whether a reader was warned above a line: in its section or one around it, or by the caution of ours at the head of the file.
#[derive(Debug, Default)]
struct Warned {
    in_file: bool,
    /// The level of the heading under which a warning stands.
    under: Option<usize>,
    level: usize,
    /// The marks that opened the code that is read.
    fence: Option<String>,
}

impl Warned {
    fn read(&mut self, number: u32, line: &str) {
        if number == 1 {
            *self = Self::default();
        }
        let bare = line.trim_start();
        let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'));
        let run: String = bare.chars().take_while(|c| Some(*c) == mark).collect();
        match &self.fence {
            Some(open) if run.starts_with(open.as_str()) && bare.trim_end() == run => {
                self.fence = None;
                return;
            }
            Some(_) => return,
            None if run.len() >= 3 => {
                self.fence = Some(run);
                return;
            }
            None => {}
        }
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        if (1..=6).contains(&level) && line.get(level..).is_some_and(|rest| rest.starts_with(' ')) {
            // What is said before the first section holds until that, and elsewhere for all that is inside.
            let is_over = |under: usize| under < 2 || level <= under;
            self.under = self.under.filter(|under| !is_over(*under));
            self.level = level;
            return;
        }
        let Some(said) = line.strip_prefix("> ") else {
            return;
        };
        self.in_file |= line.ends_with(CAUTION);
        let said = said.trim_start_matches(['*', '[', '!']);
        let is_warning = ["caution", "danger", "warning"].iter().any(|label| {
            let behind = said
                .get(..label.len())
                .filter(|start| start.eq_ignore_ascii_case(label))
                .and_then(|start| said.get(start.len()..));
            behind.is_some_and(|behind| behind.is_empty() || behind.starts_with([':', '*', ']']))
        });
        if is_warning {
            self.under = Some(self.level);
        }
    }

    fn is_said(&self) -> bool {
        self.in_file || self.under.is_some()
    }
}

/// What is published encoded as it is: it says what it is, and hides nothing from who knows how to read it.
const PUBLISHED: [&str; 5] = [
    "CERTIFICATE",
    "PGP PUBLIC KEY BLOCK",
    "PGP SIGNATURE",
    "PUBLIC KEY",
    "RSA PUBLIC KEY",
];
/// What stands before a public key in a line of its own.
const KEY_TYPES: [&str; 5] = [
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "ssh-ed25519",
    "ssh-rsa",
];

/// V085. What is published encoded, between its marks or behind its kind, is no blob.
pub(super) fn holds_no_blob(subject: &Subject<'_>) -> Findings {
    let mut wrapped = 0;
    let mut is_published = false;
    let is_suspect = |_: &str| true;
    each_line(subject, is_suspect, |_, line, _| {
        is_published = begins_published(line) || is_published && goes_on_published(line);
        // Both patterns ask for more.
        if line.len() < WRAPPED_BYTES_MIN || is_published {
            wrapped = 0;
            return None;
        }
        wrapped = if WRAPPED.is_match(line) && is_blob(line) {
            wrapped + 1
        } else {
            0
        };
        let is_key = |start: usize| {
            let before = line.get(..start).unwrap_or_default();
            let kind = before.strip_suffix(' ');
            kind.is_some_and(|kind| KEY_TYPES.iter().any(|known| kind.ends_with(known)))
        };
        let long = RUN
            .find_iter(line)
            .any(|run| run.len() > RUN_MAX && !is_key(run.start()) && is_blob(run.as_str()));
        (long || wrapped == WRAPPED_LINES_MAX)
            .then(|| "a long run of encoded bytes stands here; put them into a file under assets, or remove them".to_owned())
    })
}

/// Whether a line opens the armour of something published (RFC 7468, RFC 9580).
fn begins_published(line: &str) -> bool {
    let label = line
        .split_once("-----BEGIN ")
        .and_then(|(_, rest)| rest.split_once("-----"));
    label.is_some_and(|(label, _)| PUBLISHED.contains(&label))
}

/// Whether a line may stand inside an armour: encoded bytes, a header, or nothing, which a Debian control file writes as a dot.
fn goes_on_published(line: &str) -> bool {
    let line = line.trim_matches([' ', '\t', '>', '.']);
    let is_header = ["Charset: ", "Comment: ", "Hash: ", "Version: "]
        .iter()
        .any(|name| line.starts_with(name));
    let is_encoded = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    is_header || line.bytes().all(is_encoded)
}

/// Whether a run mixes what encoded bytes mix: not a path, not a rule of dashes, not one letter over and over.
fn is_blob(run: &str) -> bool {
    let count = |test: fn(&u8) -> bool| run.as_bytes().iter().filter(|byte| test(byte)).count();
    let (digits, lower, upper) = (
        count(u8::is_ascii_digit),
        count(u8::is_ascii_lowercase),
        count(u8::is_ascii_uppercase),
    );
    let marks = run
        .bytes()
        .filter(|byte| matches!(byte, b'-' | b'_'))
        .count();
    let is_hex = run.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_mixed = digits * 40 > run.len() && lower * 10 > run.len() && upper * 10 > run.len();
    (is_hex && digits * 5 > run.len()) || (is_mixed && marks * 12 < run.len())
}
