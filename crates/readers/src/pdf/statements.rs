//! Finds listings that are set in a face of the text, by the statements that they are made of.

use crate::code_like;
use crate::pdf::line::Line;
use crate::pdf::lists;
use crate::words::{WordList, words};

/// The next line of a listing is no further away, in sizes of its letters; within brackets it may be further.
const BESIDE_SIZES: f32 = 4.2;
const INSIDE_SIZES: f32 = 7.0;
/// The next line of a listing right below.
const BELOW_SIZES: f32 = 1.6;
/// A line fills its measure that goes so far across it.
const FILLED: f32 = 0.82;
/// So many in ten lines of a listing are code by themselves.
const CODE_TENTHS: usize = 6;
/// So many lines within brackets say nothing of code by themselves, one after the other.
const INSIDE_LINES_MAX: usize = 16;
/// What is in italics or raised for so much of it is a formula.
const FORMULA_SHARE: f32 = 0.3;
/// What is larger than the text so many times heads something.
const LARGER_TIMES: f32 = 1.15;
/// A name stands behind so many words of its type at most.
const TYPE_WORDS_MAX: usize = 4;

/// Words that the types of code are made of.
const TYPES: [&str; 17] = [
    "bool", "boolean", "byte", "char", "const", "double", "enum", "extern", "float", "inline",
    "int", "signed", "static", "struct", "unsigned", "var", "void",
];
/// Words that stand before names in statements, and in prose.
static LEADS: WordList = words!("delete new private protected public return typedef");
/// Words that blocks of code begin with, beside types.
static BLOCKS: WordList = words!("class do else namespace try typedef union");

/// Sets the lines of listings that are in a face of the text in that of code; `body` is the size of the text.
pub(crate) fn settle(lines: &mut [Line], body: f32) {
    let mut at = 0;
    while at < lines.len() {
        let end = listing_from(lines, at, body);
        for line in lines.get_mut(at..end).unwrap_or_default() {
            for piece in &mut line.pieces {
                piece.face.is_fixed = true;
                piece.text = straightened(&piece.text);
            }
        }
        at = end.max(at + 1);
    }
}

/// How a line looks by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Nothing but code reads so.
    Statement,
    /// Code may read so.
    Code,
    Words,
}

impl Look {
    fn of(line: &Line) -> Self {
        let formula = line.share(|piece| piece.face.is_italic || piece.is_raised);
        let bold = line.share(|piece| piece.face.is_bold);
        let is_other = line.is_fixed() || formula > FORMULA_SHARE || bold > 0.8;
        if is_other || lists::marker(line).is_some() {
            return Self::Words;
        }
        let text = line.text();
        let text = text.trim();
        if is_statement(text) {
            Self::Statement
        } else if !fills(line) && code_like::line(text) {
            Self::Code
        } else {
            Self::Words
        }
    }
}

/// The line behind the listing that begins at `at`; `at` itself where none does.
fn listing_from(lines: &[Line], at: usize, body: f32) -> usize {
    let Some(first) = lines.get(at).filter(|line| line.size < LARGER_TIMES * body) else {
        return at;
    };
    let look = Look::of(first);
    if look == Look::Words {
        return at;
    }
    let mut depth = depth_of(first).max(0);
    let mut statements = usize::from(look == Look::Statement);
    // Lines within brackets are code when these are closed as code closes them.
    let (mut code, mut inside, mut end) = (1, 0, at + 1);
    let mut next = end;
    while let (Some(above), Some(line)) = (lines.get(next - 1), lines.get(next)) {
        let sizes = if depth > 0 {
            INSIDE_SIZES
        } else {
            BESIDE_SIZES
        };
        if !is_beside(above, line, sizes) || line.is_fixed() {
            break;
        }
        let look = Look::of(line);
        let is_inside = depth > 0 && inside < INSIDE_LINES_MAX && !fills(line);
        if look == Look::Words && !is_inside {
            break;
        }
        let step = depth_of(line);
        let closes_call = depth > 0 && step < 0 && line.text().trim_end().ends_with(");");
        depth = (depth + step).max(0);
        next += 1;
        if look == Look::Statement || closes_call {
            statements += 1;
            code += inside + 1;
            inside = 0;
        } else if look == Look::Code {
            code += 1;
        } else {
            inside += 1;
        }
        if look != Look::Words || depth == 0 {
            end = next;
        }
    }
    let is_listing = match end - at {
        1 => stands_alone(lines, at),
        count => statements > 0 && code * 10 >= count * CODE_TENTHS,
    };
    if is_listing { end } else { at }
}

/// Words with straight quotes in the place of the curly ones, which faces of the text draw or a word processor put in.
fn straightened(words: &str) -> String {
    let straight = |shown: char| match shown {
        '“' | '”' => '"',
        '‘' | '’' => '\'',
        other => other,
    };
    words.chars().map(straight).collect()
}

/// Whether `below` is of one column with `above` and no further below it, in letters of the same size.
fn is_beside(above: &Line, below: &Line, sizes: f32) -> bool {
    let step = above.y - below.y;
    above.page == below.page
        && above.column == below.column
        && (above.size - below.size).abs() < 0.08 * above.size
        && step > 0.2 * above.size
        && step < sizes * above.size
}

/// Whether a line has hardly any room behind it.
fn fills(line: &Line) -> bool {
    line.right > line.bounds.0 + FILLED * (line.bounds.1 - line.bounds.0)
}

/// Whether a line that is a call or an inclusion is a listing of its own: it stands apart from the text around it.
fn stands_alone(lines: &[Line], at: usize) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    let text = line.text();
    let text = text.trim();
    let is_parted = |one: &Line, other: &Line| !is_beside(one, other, BELOW_SIZES);
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    let is_apart = above.is_none_or(|above| is_parted(above, line))
        && lines.get(at + 1).is_none_or(|below| is_parted(line, below));
    let is_call = text.ends_with(';') && text.contains('(') && is_statement(text);
    let includes = ["#include <", "#include \"", "#include “"];
    is_apart && (is_call || includes.iter().any(|begins| text.starts_with(begins)))
}

/// How many brackets a line leaves open, less those that it closes.
fn depth_of(line: &Line) -> i32 {
    let text = line.text();
    text.chars().fold(0, |depth, sign| match sign {
        '{' | '(' => depth + 1,
        '}' | ')' => depth - 1,
        _ => depth,
    })
}

/// Whether a line is a statement of code, or begins or ends a block of them.
fn is_statement(text: &str) -> bool {
    const DIRECTIVES: [&str; 7] = [
        "include ", "define ", "if ", "ifdef ", "ifndef ", "undef ", "pragma ",
    ];
    if let Some(told) = text.strip_prefix('#') {
        return matches!(told, "endif" | "else")
            || DIRECTIVES.iter().any(|begins| told.starts_with(begins));
    }
    let has_names = text.contains(char::is_alphanumeric);
    let is_brace = !has_names && text.is_ascii() && text.contains(['{', '}']);
    if is_brace || text.starts_with("} ") {
        return true;
    }
    let bare = text
        .split_once("//")
        .map_or(text, |(code, _)| code)
        .trim_end();
    if let Some(told) = bare.strip_suffix('{') {
        let told = told.trim_end();
        let first = told.split_whitespace().next().unwrap_or("");
        return told.ends_with(')') || is_of_code(first) || BLOCKS.contains(&first);
    }
    let Some(told) = bare.strip_suffix(';') else {
        return false;
    };
    let is_set = || {
        told.split_once(" = ")
            .is_some_and(|(name, _)| is_typed_name(name))
    };
    calls(told) || is_set() || told.contains("->") || told.contains("::")
}

/// Whether a name stands right before the first parenthesis of a line, behind no more than its type or what it is set to.
fn calls(text: &str) -> bool {
    let Some((before, _)) = text.split_once('(') else {
        return false;
    };
    let (set, name) = before.split_once(" = ").unwrap_or(("", before));
    before.ends_with(is_of_name) && is_typed_name(name) && (set.is_empty() || is_typed_name(set))
}

/// Whether words are a name behind those of its type, if it has any: `hot`, `static int hot`, `KilnHeat* heat`. Words of prose are none.
fn is_typed_name(words: &str) -> bool {
    let words: Vec<&str> = words.split_whitespace().collect();
    let Some((name, typed)) = words.split_last() else {
        return false;
    };
    typed.len() <= TYPE_WORDS_MAX
        && typed
            .iter()
            .all(|word| is_of_code(word) || LEADS.contains(word))
        && is_name(name)
}

/// Whether a word may be the name of what has a value: `heat`, `*kiln.heat`, `heats[2]`.
fn is_name(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_alphabetic())
        && word
            .chars()
            .all(|c| is_of_name(c) || "*&<>[].:-$@".contains(c))
}

/// Whether a word is one of code and none of prose: of a type, or a name with a capital within it or an underscore.
fn is_of_code(word: &str) -> bool {
    let inner = word.chars().skip(1);
    let has_capital =
        inner.clone().any(char::is_uppercase) && inner.clone().any(char::is_lowercase);
    TYPES.contains(&word)
        || word.contains('_') && word.chars().all(is_of_name)
        || has_capital && word.chars().all(|c| is_of_name(c) || c == ':')
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    /// Those of the lines that are code afterwards; each is given with how far in it stands, and the room above it.
    fn code(lines: &[(&str, f32, f32)]) -> Vec<String> {
        let mut y = 700.0;
        let mut lines: Vec<Line> = lines
            .iter()
            .map(|(words, inset, room)| {
                y -= room;
                let left = 72.0 + inset;
                Line {
                    left,
                    right: left + 5.0 * words.chars().count() as f32,
                    y,
                    bounds: (72.0, 372.0),
                    ..testing::line(vec![testing::piece(words)])
                }
            })
            .collect();
        settle(&mut lines, 10.0);
        let code = lines.iter().filter(|line| line.is_fixed());
        code.map(Line::text).collect()
    }

    #[test]
    fn statements_in_a_face_of_the_text_are_a_listing() {
        let listing = [
            ("#include “kiln.h”", 0.0, 24.0),
            ("int main(void)", 0.0, 24.0),
            ("{", 0.0, 12.0),
            ("KilnHeat heat;", 14.0, 12.0),
            ("heat = kilnFire(hotKiln,", 14.0, 48.0),
            ("oak,", 90.0, 12.0),
            ("3 * wood,", 90.0, 12.0),
            ("dry wood);", 90.0, 12.0),
            ("return 0;", 14.0, 24.0),
            ("}", 0.0, 12.0),
        ];
        let mut lines = vec![(
            "Any program that fires a kiln has all of these in it, and no more:",
            0.0,
            12.0,
        )];
        lines.extend(listing);
        lines.push((
            "It burns all night, and nobody has to stand beside it in the dark.",
            0.0,
            30.0,
        ));
        let mut expected: Vec<&str> = listing.iter().map(|(words, _, _)| *words).collect();
        if let Some(first) = expected.first_mut() {
            *first = "#include \"kiln.h\"";
        }
        assert_eq!(code(&lines), expected);
    }

    #[test]
    fn what_brackets_hold_is_of_the_statement_that_closes_them() {
        let kinds = [
            "typedef enum {",
            "kilnOak = 0,",
            "kilnAsh = 1,",
            "kilnElm = 2",
            "} kilnWood;",
        ];
        let read = |lines: &[&'static str]| {
            let lines: Vec<(&str, f32, f32)> =
                lines.iter().map(|words| (*words, 0.0, 12.0)).collect();
            code(&lines).len()
        };
        assert_eq!(read(&kinds), 5);
    }

    #[test]
    fn one_call_is_a_listing_where_it_stands_apart() {
        let around = |words: &'static str, room: f32| {
            code(&[
                (
                    "When it is hot enough for the wood you have to call this function",
                    0.0,
                    12.0,
                ),
                (words, 0.0, room),
                (
                    "which lets the kiln burn as long as there is any wood left in it.",
                    0.0,
                    room,
                ),
            ])
        };
        assert_eq!(around("void kilnFire(KilnHeat heat);", 24.0).len(), 1);
        assert_eq!(around("#include <kiln.h>", 24.0).len(), 1);
        assert!(around("void kilnFire(KilnHeat heat);", 12.0).is_empty());
        assert!(around("and with it kiln(oak);", 24.0).is_empty());
    }

    #[test]
    fn prose_addresses_and_formulas_are_no_listing() {
        for lines in [
            ["The kiln shall", "burn oak;", "dry the wood; and", "stop."],
            [
                "Ada Lee,",
                "Kiln Road 5 (rear),",
                "+49 (30) 12/34,",
                "http://kiln.example/a_b",
            ],
            [
                "Who lights it;",
                "who sees it (or not);",
                "who is it for;",
                "who",
            ],
            [
                "f(x) = g(x) + 1,",
                "g(x) = h(x) + 2,",
                "h(x) = x + 3,",
                "x = 4",
            ],
            [
                "see kiln(1);",
                "the heat of f(x);",
                "wood = heat",
                "oak, ash;",
            ],
        ] {
            let lines: Vec<(&str, f32, f32)> =
                lines.iter().map(|words| (*words, 0.0, 12.0)).collect();
            assert!(code(&lines).is_empty(), "{lines:?}");
        }
    }
}
