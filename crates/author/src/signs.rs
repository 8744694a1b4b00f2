//! Owns the signs in a sentence that are right or wrong to the letter: code, numbers and versions, flags, paths, addresses, names.

/// What a sign is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignKind {
    /// Between backticks.
    Code,
    /// A number or a version.
    Number,
    /// An option of a command outside of code.
    Flag,
    /// A path outside of code.
    Path,
    /// An address of the web.
    Address,
    /// A word that names something.
    Name,
}

impl SignKind {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Number => "number",
            Self::Flag => "flag",
            Self::Path => "path",
            Self::Address => "address",
            Self::Name => "name",
        }
    }
}

/// A sign of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sign {
    /// What it is.
    pub kind: SignKind,
    /// To the letter.
    pub text: String,
}

/// Words with a capital that name nothing of a source.
const ORDINARY: &str = " i ok api apis id ids url urls http https json yaml toml html css sql os cpu ram io ui cli sdk ide ci pr prs faq tl dr \
    january february march april may june july august september october november december monday tuesday wednesday thursday friday \
    saturday sunday skill ascii utf unicode true false yes no ";

/// The pieces of a line outside of code and the code spans, in their order.
#[must_use]
pub fn spans(text: &str) -> Vec<(bool, &str)> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let marks = rest.get(start..).unwrap_or_default();
        let width = marks.bytes().take_while(|byte| *byte == b'`').count();
        let fence = marks.get(..width).unwrap_or_default();
        let inside = marks.get(width..).unwrap_or_default();
        let Some(end) = inside.find(fence) else {
            break;
        };
        out.push((false, rest.get(..start).unwrap_or_default()));
        out.push((true, inside.get(..end).unwrap_or_default().trim()));
        rest = inside.get(end + width..).unwrap_or_default();
    }
    out.push((false, rest));
    out.retain(|(_, text)| !text.is_empty());
    out
}

/// All signs of a line. Whether plain words with a capital count as names depends on the language: in some every noun has one.
#[must_use]
pub fn of(text: &str, has_capital_names: bool) -> Vec<Sign> {
    let mut out: Vec<Sign> = Vec::new();
    let mut words = String::new();
    for (is_code, span) in spans(text) {
        match is_code {
            true => {
                add(&mut out, SignKind::Code, span);
                // A name may follow code without beginning a sentence.
                words.push_str(" x ");
            }
            false => words.push_str(span),
        }
    }
    let mut begins = true;
    for token in words.split_whitespace() {
        let is_first = std::mem::replace(&mut begins, ends_sentence(token));
        token_signs(token, is_first, has_capital_names, &mut out);
    }
    out
}

fn add(out: &mut Vec<Sign>, kind: SignKind, text: &str) {
    let sign = Sign {
        kind,
        text: text.to_owned(),
    };
    if !text.is_empty() && !out.contains(&sign) {
        out.push(sign);
    }
}

fn ends_sentence(token: &str) -> bool {
    let bare = token.trim_end_matches(['*', '_', ')', '"', '”', '’', '\'']);
    bare.is_empty()
        || bare.ends_with(['.', '!', '?', ':', ';', '|', '。', '！', '？', '：'])
        || token == "|"
        || token == "-"
        || token == "–"
        || token == "→"
}

fn token_signs(token: &str, is_first: bool, has_capital_names: bool, out: &mut Vec<Sign>) {
    if let Some(at) = token.find("http://").or_else(|| token.find("https://")) {
        let address = token.get(at..).unwrap_or_default();
        let end = address.find(['>', '"', '|', '*']).unwrap_or(address.len());
        let address = address.get(..end).unwrap_or_default();
        let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'']);
        let address = match address.contains('(') {
            true => address,
            false => address.trim_end_matches(')'),
        };
        return add(out, SignKind::Address, address);
    }
    let bare = token.trim_matches(|c: char| {
        !c.is_alphanumeric() && !matches!(c, '-' | '/' | '~' | '.' | '_' | '@')
    });
    let bare = bare.trim_end_matches(['.', '-', '_']);
    let is_flag = bare
        .strip_prefix("--")
        .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        || (bare.starts_with('-')
            && bare.len() == 2
            && bare.ends_with(|c: char| c.is_ascii_alphabetic()));
    if is_flag {
        let name = bare.split('=').next().unwrap_or(bare);
        return add(out, SignKind::Flag, name);
    }
    let slashes = bare.matches('/').count();
    let is_path = slashes > 0
        && (bare.starts_with(['/', '~', '.']) || slashes > 1 || has_extension(bare))
        && bare.len() > 2;
    if is_path {
        return add(out, SignKind::Path, bare);
    }
    for part in token.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_' | ',')) {
        let part = part.trim_matches(['.', ',', '_', '*']);
        if part.is_empty() {
            continue;
        }
        let digits = part.chars().filter(char::is_ascii_digit).count();
        let letters = part.chars().filter(|c| c.is_alphabetic()).count();
        if digits > 0 && letters == 0 {
            add(out, SignKind::Number, part);
        } else if letters > 0 && is_name(part, is_first, has_capital_names) {
            add(out, SignKind::Name, part);
        }
    }
}

fn has_extension(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=5).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn is_name(word: &str, is_first: bool, has_capital_names: bool) -> bool {
    let folded = format!(" {} ", word.to_lowercase());
    if ORDINARY.contains(&folded) || word.chars().count() < 2 {
        return false;
    }
    let is_spelled = word.contains('_')
        || word.contains(|c: char| c.is_ascii_digit())
        || word.chars().skip(1).any(char::is_uppercase);
    is_spelled || (has_capital_names && !is_first && word.starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(SignKind, String)> {
        of(text, true)
            .into_iter()
            .map(|sign| (sign.kind, sign.text))
            .collect()
    }

    #[test]
    fn signs_are_found_in_their_kinds() {
        use SignKind::{Address, Code, Flag, Name, Number, Path};
        let found = told(
            "Run `kiln start` with --slow above 1,200 degrees (v3.12), see src/kiln.rs or https://kiln.example/a. Then ask Frobnicator, not Git's.",
        );
        let expected = [
            (Code, "kiln start"),
            (Flag, "--slow"),
            (Number, "1,200"),
            (Name, "v3.12"),
            (Path, "src/kiln.rs"),
            (Address, "https://kiln.example/a"),
            (Name, "Frobnicator"),
            (Name, "Git"),
        ];
        for (kind, text) in expected {
            assert!(
                found.contains(&(kind, text.to_owned())),
                "{text}: {found:?}"
            );
        }
        assert_eq!(found.len(), expected.len(), "{found:?}");
    }

    #[test]
    fn plain_words_are_no_signs() {
        for text in [
            "Anyone can read it. **Signed is not encrypted.** Why: otherwise it ends.",
            "read and/or write",
            "squash or edit? | Use it",
            "a step-by-step guide",
        ] {
            assert_eq!(told(text), [], "{text}");
        }
    }

    #[test]
    fn code_spans_are_told_from_words_whatever_their_marks() {
        assert_eq!(
            spans("a `b` c"),
            [(false, "a "), (true, "b"), (false, " c")]
        );
        assert_eq!(spans("``a ` b``"), [(true, "a ` b")]);
        assert_eq!(spans("a ` b"), [(false, "a ` b")]);
        assert_eq!(spans(""), []);
    }
}
