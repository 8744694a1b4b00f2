//! Tells the language of code that does not name its own, where more than its first line shows it plainly: Python, C, SQL.
//! What a first line tells is told when the code is written.

/// Lines that are looked at.
const LINES_MAX: usize = 400;

/// A language that is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    C,
    Sql,
}

impl Language {
    /// What a fence calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::C => "c",
            Self::Sql => "sql",
        }
    }
}

/// The language of `code`, where it is plain.
pub(super) fn of(code: &str) -> Option<Language> {
    if is_sql(code) {
        Some(Language::Sql)
    } else if is_python(code) {
        Some(Language::Python)
    } else if is_c(code) {
        Some(Language::C)
    } else {
        None
    }
}

/// The lines that say something.
fn lines_of(code: &str) -> impl Iterator<Item = &str> {
    let lines = code.lines().take(LINES_MAX);
    lines.map(str::trim_end).filter(|line| !line.is_empty())
}

/// Whether `code` is statements of SQL: its first word, in capitals, is one's, another word follows, and it ends with a semicolon.
fn is_sql(code: &str) -> bool {
    let mut lines = lines_of(code).filter(|line| !line.trim_start().starts_with("--"));
    let mut words = lines.next().unwrap_or("").split_whitespace();
    let first = words.next().unwrap_or("");
    let verbs = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP", "GRANT", "REVOKE",
    ];
    verbs.contains(&first) && words.next().is_some() && code.trim_end().ends_with(';')
}

fn is_python(code: &str) -> bool {
    let is_foreign = |line: &str| {
        let line = line.trim();
        let opens = line.strip_suffix('{').map(str::trim_end);
        let opens_body = |head: &str| {
            head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '>'))
                && !head.ends_with("return")
        };
        line.ends_with(';')
            || opens.is_some_and(opens_body)
            || ["//", "/*", "end", "fi", "done", "$", "#include"]
                .iter()
                .any(|mark| match mark.starts_with(char::is_alphabetic) {
                    true => line == *mark,
                    false => line.starts_with(mark),
                })
    };
    if lines_of(code).any(is_foreign) {
        return false;
    }
    let modules = lines_of(code).filter_map(imported);
    let uses = |module: &str| {
        let name = format!("{module}.");
        lines_of(code).any(|line| imported(line).is_none() && line.contains(&name))
    };
    lines_of(code).any(|line| is_of_python(line.trim_start()))
        || modules.take(20).any(uses)
        || is_signed(code)
}

/// Whether a line is a statement that only Python ends with a colon, or one that brings in names from a module.
fn is_of_python(line: &str) -> bool {
    if let Some((module, names)) = line
        .strip_prefix("from ")
        .and_then(|rest| rest.split_once(" import "))
    {
        return is_name(module.trim_start_matches('.')) && !names.contains(['"', '\'']);
    }
    let Some(head) = line.strip_suffix(':') else {
        return false;
    };
    let class = head
        .strip_prefix("class ")
        .map(|rest| rest.split('(').next().unwrap_or(rest));
    class.is_some_and(is_name)
        || head.starts_with("with ") && head.contains(" as ")
        || head.starts_with("except ")
        || head == "if __name__ == '__main__'"
        || head == "if __name__ == \"__main__\""
}

/// Whether a function of Python is defined: its head, which may take several lines, ends with a colon.
fn is_signed(code: &str) -> bool {
    let mut rest = lines_of(code);
    while let Some(line) = rest.next() {
        let line = line.trim_start();
        let head = line.strip_prefix("async ").unwrap_or(line);
        let Some((name, _)) = head
            .strip_prefix("def ")
            .and_then(|rest| rest.split_once('('))
        else {
            continue;
        };
        let ends = |line: &str| line.ends_with(':') && line.contains(')');
        if is_name(name) && (ends(head) || rest.by_ref().take(6).any(ends)) {
            return true;
        }
    }
    false
}

/// The module that a line brings in by its name.
fn imported(line: &str) -> Option<&str> {
    let names = line.trim_start().strip_prefix("import ")?;
    let first = names.split([',', ' ']).next()?;
    let rest = names.get(first.len()..)?;
    let is_whole = rest.is_empty()
        || [",", " as ", "  #"]
            .iter()
            .any(|mark| rest.starts_with(mark));
    (is_whole && is_name(first)).then_some(first)
}

fn is_name(word: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    word.split('.').all(is_part)
}

fn is_c(code: &str) -> bool {
    // What only its younger relatives have.
    let marks = [
        "::",
        "class ",
        "template",
        "public ",
        "private ",
        "using ",
        "namespace ",
        "fn ",
        "unsafe ",
    ];
    if marks.iter().any(|mark| code.contains(mark)) {
        return false;
    }
    let code = behind_comments(code);
    let mut lines = lines_of(code);
    let Some(first) = lines.next() else {
        return false;
    };
    if first.starts_with("#include <") || first.starts_with("#define ") {
        return true;
    }
    // A function: what it gives, its name with its parameters, and its body between braces for themselves.
    const TYPES: [&str; 10] = [
        "void", "int", "char", "static", "size_t", "unsigned", "struct", "uint8_t", "uint32_t",
        "const",
    ];
    let gives = first
        .split([' ', '*'])
        .next()
        .is_some_and(|word| TYPES.contains(&word));
    let takes = first.contains('(') || lines.next().is_some_and(|next| next.contains('('));
    let has_types = ["struct ", "uint8_t ", "size_t ", "char *", "void *"];
    gives
        && takes
        && !first.contains('=')
        && lines_of(code).any(|line| line == "{")
        && lines_of(code).any(|line| line == "}")
        && has_types.iter().any(|mark| code.contains(mark))
}

/// `code` behind the comments that it begins with.
fn behind_comments(code: &str) -> &str {
    let mut rest = code.trim_start();
    loop {
        let behind = match rest.get(..2) {
            Some("/*") => rest.split_once("*/").map(|(_, behind)| behind),
            Some("//") => rest.split_once('\n').map(|(_, behind)| behind),
            _ => None,
        };
        match behind {
            Some(behind) => rest = behind.trim_start(),
            None => return rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_in_a_language_where_it_shows_it_plainly() {
        for (code, language) in [
            (
                "import kiln\n\nheat = kiln.Heat(900)\n",
                Some(Language::Python),
            ),
            ("from kiln import heat\n", Some(Language::Python)),
            (
                "# Fires.\nclass Kiln(Oven):\n    heat = {\n    }\n",
                Some(Language::Python),
            ),
            (
                "def fire(self, wood,\n         heat):\n    self.heat = heat\n",
                Some(Language::Python),
            ),
            (
                "with open('kiln') as file:\n    file.read()\n",
                Some(Language::Python),
            ),
            (
                "/* kiln.c\n\n   Fires it.\n*/\n#define HEAT 900\n#include <kiln.h>\n",
                Some(Language::C),
            ),
            (
                "/* Fires it. */\nvoid\nfire(struct kiln *kiln,\n     size_t heat)\n{\n  kiln->heat = heat;\n}\n",
                Some(Language::C),
            ),
            (
                "-- Moves it.\nALTER EXTENSION kiln\n    SET SCHEMA heat;\n",
                Some(Language::Sql),
            ),
            ("DELETE /kilns/1 HTTP/1.1\n", None),
            // Others have the same words.
            ("import java.util.List;\nList.of();\n", None),
            ("import kiln from \"kiln\";\n", None),
            ("import kiln from 'kiln'\nkiln.fire()\n", None),
            ("import Kiln\n", None),
            ("import \"fmt\"\n", None),
            ("class Kiln {\n  void fire() {\n  }\n}\n", None),
            ("class Kiln\n  def fire(wood)\n    heat\n  end\nend\n", None),
            ("def fire(heat: Int): Int = heat\n", None),
            ("#include <vector>\nstd::vector<int> heats;\n", None),
            ("int heat = fire(kiln);\n", None),
            ("echo 900\n", None),
        ] {
            assert_eq!(of(code), language, "{code}");
        }
    }
}
