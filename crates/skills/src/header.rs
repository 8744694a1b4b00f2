//! Owns the header of SKILL.md: quoted values on one line each, readable by the strictest loader.

use crate::skill::Source;
use skillkiln_document::text::squash;
use skillkiln_document::unseen::{is_signal, without_unseen};

/// The header of a skill.
#[must_use]
pub fn write(name: &str, description: &str, category: &str, source: &Source) -> String {
    let mut out = String::from("---\n");
    out.push_str(&format!("name: {}\n", quoted(name)));
    out.push_str(&format!("description: {}\n", quoted(description)));
    out.push_str("metadata:\n");
    let digest = format!("sha256:{}", source.digest);
    for (key, value) in [
        ("source", source.label.as_str()),
        ("source_type", &source.source_type),
        ("source_digest", &digest),
        ("generated", &source.read_on),
        ("generator", &source.generator),
        ("category", category),
    ] {
        if !value.is_empty() {
            out.push_str(&format!("  {key}: {}\n", quoted(value)));
        }
    }
    out.push_str("---\n");
    out
}

/// A YAML string in double quotes on one line. Three hyphens in a row would end the header for some readers.
fn quoted(text: &str) -> String {
    let seen: String = without_unseen(text)
        .chars()
        .filter(|c| !is_signal(*c))
        .collect();
    let line = squash(&seen);
    let line = match line.contains("://") {
        true => line.replace("---", "-%2D-").replace("---", "-%2D-"),
        false => line.replace("---", "—"),
    };
    let mut out = String::with_capacity(line.len() + 2);
    out.push('"');
    for character in line.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_never_leaves_its_line_or_its_quotes() {
        let source = Source {
            label: "a \"b\" \\ c\n---\nname: x".into(),
            ..Source::default()
        };
        let header = write("n", "d: e # f", "general", &source);
        assert_eq!(header.matches("---").count(), 2);
        assert!(
            header.contains("source: \"a \\\"b\\\" \\\\ c — name: x\"\n"),
            "{header}"
        );
        assert!(header.contains("description: \"d: e # f\"\n"));
    }
}
