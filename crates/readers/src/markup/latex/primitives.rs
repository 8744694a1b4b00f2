//! Skips what plain TeX defines and sets: the bodies of its macros, and the numbers that its parameters are given.

use crate::markup::latex::Reader;
use crate::markup::latex::groups::{group, optional};

/// How far the parameters of a definition may reach before its body.
const PARAMETERS_BYTES_MAX: usize = 120;

/// Parameters of TeX that documents give a number or a length without braces: `\tolerance 1000`.
const PARAMETERS: [&str; 34] = [
    "hyphenpenalty",
    "exhyphenpenalty",
    "pretolerance",
    "tolerance",
    "emergencystretch",
    "doublehyphendemerits",
    "finalhyphendemerits",
    "adjdemerits",
    "linepenalty",
    "binoppenalty",
    "relpenalty",
    "clubpenalty",
    "widowpenalty",
    "displaywidowpenalty",
    "brokenpenalty",
    "hbadness",
    "vbadness",
    "hfuzz",
    "vfuzz",
    "overfullrule",
    "hsize",
    "vsize",
    "hoffset",
    "voffset",
    "parindent",
    "parskip",
    "baselineskip",
    "lineskip",
    "leftskip",
    "rightskip",
    "textwidth",
    "textheight",
    "topmargin",
    "oddsidemargin",
];

/// What lengths are measured in, those of Japanese TeX as well.
const UNITS: [&str; 13] = [
    "pt", "em", "ex", "in", "cm", "mm", "pc", "bp", "sp", "dd", "cc", "zw", "zh",
];

impl<'a> Reader<'a> {
    /// The definition of a macro whose command, `used` bytes long, stands here: `\def\name#1{body}`, `\newcommand\name[1]{body}`.
    pub(super) fn skip_definition(&mut self, used: usize) {
        let command = self.rest().get(..used).unwrap_or("");
        let is_plain = command.trim_end().ends_with("def");
        self.at += used;
        let rest = self.rest();
        let named = rest.trim_start_matches([' ', '\t']);
        let blanks = rest.len() - named.len();
        if !named.starts_with('\\') {
            return self.skip_arguments();
        }
        let letters = named
            .bytes()
            .skip(1)
            .take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'@')
            .count();
        let sign = named.chars().nth(1).map_or(0, char::len_utf8);
        self.at += blanks + 1 + if letters > 0 { letters } else { sign };
        while self.rest().starts_with('[') {
            let (_, length) = optional(self.rest());
            if length == 0 {
                break;
            }
            self.at += length;
        }
        let after = self.rest();
        let near = after
            .get(..after.floor_char_boundary(PARAMETERS_BYTES_MAX))
            .unwrap_or("");
        let body = near.find('{').filter(|at| {
            let parameters = near.get(..*at).unwrap_or("").trim();
            // What stands before a body tells plain TeX where parameters end; a body of one command has none.
            let may_be = parameters.contains('#') || !parameters.contains([' ', '\\']);
            parameters.is_empty() || is_plain && may_be && !parameters.contains(['\n', '}'])
        });
        if let Some(at) = body {
            let (_, length) = group(after.get(at..).unwrap_or(""));
            self.at += if length > 0 { at + length } else { 0 };
        }
    }

    /// What a parameter is given, when the command `name`, `used` bytes long, is one and a number stands behind it.
    pub(super) fn skip_parameter(&mut self, name: &str, used: usize) -> bool {
        if !PARAMETERS.contains(&name) {
            return false;
        }
        let rest = self.rest().get(used..).unwrap_or("");
        let value = rest.trim_start_matches([' ', '=']);
        let Some(mut behind) = dimension(value) else {
            return false;
        };
        // `plus 2pt minus 1pt`
        for word in ["plus", "minus"] {
            let more = behind.trim_start_matches(' ').strip_prefix(word);
            if let Some(more) = more.and_then(|more| dimension(more.trim_start_matches(' '))) {
                behind = more;
            }
        }
        self.at += used + rest.len() - behind.len();
        true
    }
}

/// What stands behind the number that `text` begins with, and behind its unit.
fn dimension(text: &str) -> Option<&str> {
    let behind =
        text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | '+'));
    let number = text.get(..text.len() - behind.len()).unwrap_or("");
    if !number.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let unit = behind.strip_prefix("true").unwrap_or(behind);
    let is_unit = UNITS.iter().any(|name| unit.starts_with(name));
    Some(if is_unit {
        unit.get(2..).unwrap_or("")
    } else {
        behind
    })
}

#[cfg(test)]
mod tests {
    use crate::markup::latex::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_file_of_definitions_alone_is_shown_to_the_letter() {
        let source = "% of kilns\n\\newbox\\kiln\n\\newcommand{\\hot}[1]{It is #1}\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "```latex\n% of kilns\n\\newbox\\kiln\n\\newcommand{\\hot}[1]{It is #1}\n```\n"
        );
    }

    #[test]
    fn a_command_whose_body_is_one_command_takes_no_text_with_it() {
        let source = "\\newcommand\\kiln\\oven\nText one.\nText two with \\textbf{bold} word.\n";
        let shown = write(&read(source.to_owned()).blocks);
        assert!(
            shown.contains("Text one. Text two with **bold** word."),
            "{shown}"
        );
        let dash = write(&read("A \\hsize - the width.\n".to_owned()).blocks);
        assert!(dash.contains("- the width."), "{dash}");
    }

    #[test]
    fn what_plain_tex_defines_and_sets_is_no_text() {
        let source = "\\tolerance 1000\n\\parindent=0zw\n\\parskip 1.1ex plus 0.4ex\n\\hsize=5truein\n\\hyphenpenalty-50\n\\def\\kiln@fire#1#2{%\n  \\hbox{Figure #1: {\\it #2}}%\n  \\box\\@tempboxa}\n\\newcommand\\hot[2][red]{It is #1 and #2}\n\\def\\*{star}\n\\selectlanguage{english}\nA kiln, \\tolerance of which is low.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "A kiln, of which is low.\n"
        );
    }
}
