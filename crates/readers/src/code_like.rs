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
    // A frame that is drawn of signs.
    let is_framed = line.starts_with(['+', '|']) && line.ends_with(['+', '|']);
    if is_framed && line.len() > 4 {
        return true;
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
            "+--------+--------+",
            "| op | length     |",
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
