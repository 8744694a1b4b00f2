//! Owns the lines of a block of code: which of them are typed and which are shown, without prompts and without the marks of callouts.

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// It is typed.
    Command,
    /// A program answers it.
    Output,
    /// Code, of which neither is known.
    Code,
    /// A row of a table.
    Row,
}

/// A line of code, or a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLine {
    /// What it is.
    pub kind: LineKind,
    /// To the letter.
    pub raw: String,
    /// Without the prompt and the mark of a callout.
    pub text: String,
}

/// Prompts of shells and interpreters, with the blank behind them.
const PROMPTS: [&str; 9] = ["$ ", "# ", "% ", "> ", ">>> ", "PS> ", "➜ ", "❯ ", "... "];
/// Languages of what is typed and answered.
const SESSIONS: [&str; 13] = [
    "",
    "sh",
    "shell",
    "bash",
    "zsh",
    "console",
    "shell-session",
    "terminal",
    "text",
    "powershell",
    "pycon",
    "doscon",
    "sql",
];

/// The lines of a block.
#[must_use]
pub fn lines_of(language: &str, text: &str) -> Vec<CodeLine> {
    let has = |prompt: &str| text.lines().any(|line| line.starts_with(prompt));
    let is_session = SESSIONS.contains(&language);
    // A number sign opens remarks where another prompt is used, or where it is not the superuser's.
    let prompts: Vec<&str> = match is_session {
        true if has("$ ") => vec!["$ "],
        true if has(">>> ") => vec![">>> ", "... "],
        true => PROMPTS
            .into_iter()
            .filter(|prompt| *prompt != "# " && *prompt != "... " && has(prompt))
            .collect(),
        false if has(">>> ") => vec![">>> ", "... "],
        false => Vec::new(),
    };
    let mut goes_on = false;
    let mut lines: Vec<CodeLine> = text
        .lines()
        .map(|raw| {
            let prompt = prompts.iter().find(|prompt| raw.starts_with(**prompt));
            let typed = prompt.and_then(|prompt| raw.strip_prefix(prompt));
            let kind = match (typed, prompts.is_empty()) {
                (Some(_), _) => LineKind::Command,
                (None, _) if goes_on => LineKind::Command,
                (None, true) => LineKind::Code,
                (None, false) if raw.trim_start().starts_with('#') => LineKind::Code,
                (None, false) => LineKind::Output,
            };
            let text = without_callout(typed.unwrap_or(raw)).to_owned();
            goes_on = kind == LineKind::Command && raw.trim_end().ends_with('\\');
            CodeLine {
                kind,
                raw: raw.to_owned(),
                text,
            }
        })
        .collect();
    while lines.last().is_some_and(|line| line.raw.trim().is_empty()) {
        lines.pop();
    }
    lines
}

/// A line without the mark of a callout at its end: `<1>`, `// <2>`, `# (3)`.
fn without_callout(line: &str) -> &str {
    let trimmed = line.trim_end();
    let Some((rest, mark)) = trimmed.rsplit_once(' ') else {
        return line;
    };
    let inner = mark
        .strip_prefix('<')
        .and_then(|mark| mark.strip_suffix('>'))
        .or_else(|| {
            let is_remark = rest.ends_with("//") || rest.ends_with('#') || rest.ends_with("--");
            mark.strip_prefix('(')
                .and_then(|mark| mark.strip_suffix(')'))
                .filter(|_| is_remark)
        });
    let is_number = inner.is_some_and(|inner| {
        !inner.is_empty() && inner.len() < 3 && inner.bytes().all(|byte| byte.is_ascii_digit())
    });
    match is_number {
        true => rest
            .trim_end()
            .trim_end_matches("//")
            .trim_end_matches("--")
            .trim_end_matches('#')
            .trim_end(),
        false => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_told_from_what_is_answered() {
        let lines = lines_of("sh", "# remark\n$ kiln start \\\n  --slow\nheating\n\n");
        let told: Vec<(LineKind, &str)> = lines.iter().map(|one| (one.kind, &*one.text)).collect();
        assert_eq!(
            told,
            [
                (LineKind::Code, "# remark"),
                (LineKind::Command, "kiln start \\"),
                (LineKind::Command, "  --slow"),
                (LineKind::Output, "heating"),
            ]
        );
        let lines = lines_of("pycon", ">>> fire()\n'hot'");
        assert_eq!(
            (lines[0].text.as_str(), lines[1].kind),
            ("fire()", LineKind::Output)
        );
        let lines = lines_of("", "➜ kiln stop\nstopped");
        assert_eq!(
            (lines[0].text.as_str(), lines[1].kind),
            ("kiln stop", LineKind::Output)
        );
        assert_eq!(lines_of("rust", "let a = 1;")[0].kind, LineKind::Code);
        assert_eq!(lines_of("sh", "kiln stop")[0].kind, LineKind::Code);
    }

    #[test]
    fn marks_of_callouts_are_left_out() {
        for (line, rest) in [
            ("fire(); // <1>", "fire();"),
            ("fire: 1 <2>", "fire: 1"),
            ("fire() # (1)", "fire()"),
            ("f(1)", "f(1)"),
            ("call (1)", "call (1)"),
            ("Vec <T>", "Vec <T>"),
        ] {
            assert_eq!(without_callout(line), rest);
        }
    }
}
