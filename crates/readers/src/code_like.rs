//! Tells lines of code and commands from lines of prose, for formats that lose the difference (plain text, PDF).

/// Words that lines of code and commands begin with.
const OPENINGS: [&str; 28] = [
    "let", "const", "var", "def", "fn", "pub", "func", "class", "import", "from", "return",
    "public", "private", "static", "void", "int", "sudo", "apt", "git", "cd", "npm", "cargo",
    "pip", "docker", "SELECT", "INSERT", "UPDATE", "CREATE",
];

/// Whether `line` looks like code or a command rather than prose.
pub(crate) fn line(line: &str) -> bool {
    let line = line.trim();
    if line.is_empty() {
        return false;
    }
    if ["$ ", "$> ", "# ", "> ", ">>> ", "... ", "% "]
        .iter()
        .any(|prompt| line.starts_with(prompt))
        && !line.ends_with('.')
    {
        return true;
    }
    // Words between stars are shouted.
    let shouted = line
        .strip_prefix("**")
        .and_then(|line| line.strip_suffix("**"));
    if shouted.is_some_and(|words| {
        words.starts_with(' ') && words.trim().chars().all(|c| c.is_alphabetic() || c == ' ')
    }) {
        return false;
    }
    if line.starts_with("//") || line.starts_with("/*") || line.starts_with("#!") {
        return true;
    }
    let symbols = line
        .chars()
        .filter(|c| {
            matches!(
                c,
                '{' | '}'
                    | '('
                    | ')'
                    | ';'
                    | '='
                    | '<'
                    | '>'
                    | '['
                    | ']'
                    | '|'
                    | '&'
                    | '$'
                    | '\\'
                    | '/'
                    | '_'
                    | '#'
                    | '+'
                    | '*'
            )
        })
        .count();
    let length = line.chars().count();
    let ends_as_code = line.ends_with([';', '{', '}', ',', ')', '\\', ':']);
    let opens_as_code = line.starts_with("#include")
        || line.split_once(' ').is_some_and(|(word, rest)| match word {
            "if" | "for" | "while" => rest.starts_with('('),
            _ => OPENINGS.contains(&word),
        });
    let sentence = line.ends_with('.')
        && line.contains(' ')
        && line.chars().next().is_some_and(char::is_uppercase);
    if sentence {
        return false;
    }
    (opens_as_code && (symbols > 0 || length < 60))
        || (ends_as_code && symbols >= 2 && symbols * 12 >= length)
        || symbols * 6 >= length && symbols >= 2
        || line.contains(" = ") && symbols * 20 >= length && length < 100
}

/// Whether a line begins with the prompt of a shell; before a number, the sign is that of a price.
pub(crate) fn is_prompted(line: &str) -> bool {
    let typed = line.strip_prefix("$ ").or(line.strip_prefix("$> "));
    typed.is_some_and(|typed| !typed.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a line is one call: a name, perhaps of a member, and what is between its parentheses. `kiln.fire(heat, True)`
pub(crate) fn is_call(line: &str) -> bool {
    let line = line.strip_suffix(';').unwrap_or(line);
    let Some((name, rest)) = line.split_once('(') else {
        return false;
    };
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let mut depth = 1_usize;
    let mut behind = rest.chars().skip_while(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth > 0
    });
    name.split('.').all(is_part) && behind.next().is_some() && behind.next().is_none()
}

/// Whether a line is what is typed into a shell: a command that words of prose do not begin with, and what it is to do.
pub(crate) fn is_command(line: &str) -> bool {
    const COMMANDS: [&str; 10] = [
        "sudo", "apt", "apt-get", "git", "npm", "cargo", "pip", "pip3", "docker", "conda",
    ];
    let named = || {
        line.split_once(' ')
            .is_some_and(|(name, _)| COMMANDS.contains(&name))
    };
    is_prompted(line) || named() && !line.ends_with(['.', '!', '?', ':', ','])
}

/// Whether lines are a sentence, and not what is typed or what answers it.
pub(crate) fn is_sentence<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    let (last, words, letters, others) = counted(lines);
    words >= 6 && last.ends_with(['.', '!', '?']) && others * 9 <= letters
}

/// Whether lines are words to be read, as far as their form tells: they end as a sentence does, or, where they lead to what is below
/// them, as they like. Names of code may be among them.
pub(crate) fn is_paragraph<'t>(lines: impl Iterator<Item = &'t str>, leads: bool) -> bool {
    let (last, words, letters, others) = counted(lines);
    let last = without_note(last);
    let is_ended =
        last.ends_with(['.', '!', '?', ':']) || leads && last.ends_with(char::is_alphanumeric);
    words >= 6 && is_ended && others * 5 <= letters
}

/// Words without the mark of a note behind them: `as follows: ^[22]`.
pub(crate) fn without_note(words: &str) -> &str {
    let note = words
        .strip_suffix(']')
        .and_then(|words| words.rsplit_once("^["));
    match note {
        Some((before, number)) if number.bytes().all(|b| b.is_ascii_digit()) => before.trim_end(),
        _ => words,
    }
}

/// The last of the lines, and how many words, letters and other signs there are in all of them.
fn counted<'t>(lines: impl Iterator<Item = &'t str>) -> (&'t str, usize, usize, usize) {
    let (mut words, mut letters, mut others) = (0, 0, 0);
    let mut last = "";
    for line in lines {
        last = line.trim();
        words += last.split_whitespace().count();
        let read = last
            .chars()
            .filter(|c| c.is_alphabetic() || *c == ' ')
            .count();
        letters += read;
        others += last.chars().count() - read;
    }
    (last, words, letters, others)
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn code_is_told_from_prose() {
        for code in [
            "fn main() {",
            "$ cargo build --release",
            "x = compute(1, 2)",
            "}",
            "git commit -m 'x'",
            "let a = b;",
        ] {
            assert!(line(code) || code == "}", "{code}");
        }
        for prose in [
            "The quick brown fox jumps over the lazy dog.",
            "See section 3 (page 4) for more,",
            "Install the package and restart the service",
        ] {
            assert!(!line(prose), "{prose}");
        }
    }
}
