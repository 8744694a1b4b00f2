//! Owns which lines of plain text are code, to be kept to the letter, and which are words to be read.

use super::beside::beside_length;
use super::makeinfo::{
    EXAMPLE_INDENT, PARAGRAPH_INDENT, example_length, group_of, is_linked, is_words,
    over_words_length,
};
use super::signatures::signatures_length;
use super::{Layout, Line, headings, listing, lists, marked, records, shapes, shown, typed};
use crate::code_like;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use std::borrow::Cow;

/// Lines that are looked at to tell code from prose: a text of one indented stretch must not be read again for each of its
/// paragraphs.
pub(super) const CODE_LINES_MAX: usize = 1_000;

/// What stands in the lines up to an empty one, and in no more of them than code may have.
pub(super) fn stretch<'a>(lines: &[Line<'a>]) -> impl Iterator<Item = &'a str> {
    let lines = lines.iter().take(CODE_LINES_MAX);
    lines
        .map(|line| line.words)
        .take_while(|words| !words.is_empty())
}

/// How many lines from the start are code: an example that the words above announce, lines indented by four or more, lines full of
/// what only code has, a session or a patch, or a configuration below its comment. `indent` is that of the text they belong to; `announced` is that of
/// words above that lead to them.
pub(super) fn length(
    lines: &[Line<'_>],
    indent: usize,
    announced: Option<usize>,
    layout: &Layout,
) -> usize {
    let lines = layout.ahead.of_these(lines);
    // What is drawn to part stretches of text is full of marks as code is.
    let mut group = lines.iter().take_while(|line| !line.words.is_empty());
    if group.all(|line| headings::is_parting(line.words)) {
        return 0;
    }
    if layout.is_info && (is_linked(group_of(lines)) || beside_length(lines) > 0) {
        return 0;
    }
    // Words right above an example lead to it and are none of it; what is set in as examples are may be a target, or `else:`.
    let may_lead = |line: &Line<'_>| {
        line.indent < EXAMPLE_INDENT || line.words.starts_with(char::is_uppercase)
    };
    if let Some((first, below)) = lines.split_first()
        && may_lead(first)
        && !code_like::line(first.words)
        && example_length(below, first.words, first.indent, layout) > 0
    {
        return 0;
    }
    let whole = shown::length(lines, announced, layout);
    if whole > 0 {
        return whole;
    }
    let example = if layout.is_info {
        indented_length(lines, indent + EXAMPLE_INDENT, |group, _| {
            is_unfilled(group, layout.margin) && !is_linked(group)
        })
        .max(over_words_length(lines, indent + EXAMPLE_INDENT, layout))
    } else if let Some(margin) = layout.rulers.margin() {
        // Below headings that are indented themselves, what is said has an indentation of its own, and what is shown another.
        indented_length(lines, margin + EXAMPLE_INDENT, |group, _| {
            is_unfilled(group, layout.margin)
        })
    } else {
        announced.map_or(0, |indent| {
            indented_length(lines, indent + ANNOUNCED_INDENT, is_typed)
        })
    };
    if example > 0 {
        return example.max(indented_code_length(lines));
    }
    let evident = commented_length(lines)
        .max(drawing_length(lines))
        .max(listing::length(lines, layout))
        .max(records::length(lines))
        .max(typed::commands_length(lines, announced.is_some()));
    if evident > 0 {
        return evident;
    }
    let marked = marked::length(lines);
    if marked > 0 {
        return marked;
    }
    let indented = indented_code_length(lines);
    if indented > 0 {
        return indented;
    }
    let group = own_length(lines, layout);
    let (group_lines, _) = lines.split_at(group);
    let is_typed = group_lines
        .iter()
        .all(|line| line.indent >= 4 && is_command(line.words));
    if group > 0 && (is_typed || is_continued(group_lines) || is_markup(group_lines)) {
        return group;
    }
    let code = lines
        .iter()
        .take(group)
        .filter(|line| code_like::line(line.words))
        .count();
    if group >= 2 && code * 10 >= group * 7 {
        return group;
    }
    let session = announced.map_or(0, |_| typed::session_length(group_lines));
    script_length(lines, announced)
        .max(typed::settings_length(lines, announced))
        .max(session)
        .max(signatures_length(lines, layout))
}

/// How many lines from the start stand together: up to an empty one, and in a file of info, which sets examples in and no words, up to
/// one that is further out.
fn own_length(lines: &[Line<'_>], layout: &Layout) -> usize {
    let first = lines.first().map_or(0, |line| line.indent);
    let least = match first {
        _ if !layout.is_info => 0,
        0 | PARAGRAPH_INDENT => 0,
        _ => first.min(PARAGRAPH_INDENT + 1),
    };
    lines
        .iter()
        .take(CODE_LINES_MAX)
        .take_while(|line| !line.words.is_empty() && line.indent >= least)
        .count()
}

/// How many lines from the start, up to an empty one, are a script although they begin no further in than the words that lead to them,
/// at `announced`: a target of a makefile and what is done for it, or lines of which at least half are typed.
fn script_length(lines: &[Line<'_>], announced: Option<usize>) -> usize {
    let (Some(indent), Some(first)) = (announced, lines.first()) else {
        return 0;
    };
    let group = lines
        .iter()
        .take(CODE_LINES_MAX)
        .take_while(|line| !line.words.is_empty());
    let group = lines.get(..group.count()).unwrap_or_default();
    let words = || group.iter().map(|line| line.words);
    let is_listed = |line: &Line<'_>| {
        lists::marker(line.words).is_some() || line.words.ends_with('.') && line.words.len() > 1
    };
    if first.indent < indent.max(1)
        || group.iter().any(is_listed)
        || code_like::is_sentence(words())
    {
        return 0;
    }
    // A word of a sentence is no target, and a sentence no recipe: "Warning:" and what is warned of.
    let begins_target = |c: char| c.is_ascii_lowercase() || "._%$".contains(c);
    let is_target = first.words.ends_with(':')
        && !first.words.contains(' ')
        && first.words.starts_with(begins_target);
    let recipe = || group.iter().skip(1);
    let is_rule = is_target
        && group.len() > 1
        && recipe().all(|line| {
            line.indent >= first.indent + RECIPE_INDENT
                && !line.words.starts_with(char::is_uppercase)
        });
    let code = words().filter(|line| code_like::line(line)).count();
    let typed = words()
        .filter(|line| code_like::line(line) || is_command(line) || shapes::is_setting(line))
        .count();
    let is_typed = group.len() > 1 && code > 0 && typed * 2 >= group.len();
    if is_rule || is_typed { group.len() } else { 0 }
}

/// How many lines from the start are drawn with lines between names: `wood-----+-> fire -+-> heat`, as far as they stand together.
fn drawing_length(lines: &[Line<'_>]) -> usize {
    const JOINTS: [&str; 5] = ["--+", "+--", "-+-", "+->", "|-->"];
    let group = lines
        .iter()
        .take(CODE_LINES_MAX)
        .take_while(|line| !line.words.is_empty());
    let group = lines.get(..group.count()).unwrap_or_default();
    // The upper and the lower edge of what is framed.
    let is_edge = |words: &str| {
        words.len() > 2
            && words.starts_with('+')
            && words.ends_with('+')
            && words.bytes().all(|byte| b"+-= ".contains(&byte))
    };
    let edges = group.iter().filter(|line| is_edge(line.words)).count();
    let framed = group
        .iter()
        .filter(|line| line.words.starts_with(['+', '|']))
        .count();
    if edges > 1 && framed * 2 > group.len() {
        return group.len();
    }
    let is_drawn = |line: &&Line<'_>| JOINTS.iter().any(|joint| line.words.contains(joint));
    let drawn = group.iter().filter(is_drawn).count();
    let names = |line: &Line<'_>| line.words.contains(char::is_alphabetic);
    let is_ended = |line: &Line<'_>| line.words.ends_with(['.', '!', '?']);
    // Lines of a drawing meet: what is drawn in one goes on in the same column of the next.
    let joints = |line: &Line<'_>| -> Vec<usize> {
        let signs = line.words.chars().enumerate();
        let signs = signs.filter(|(_, c)| matches!(c, '+' | '|'));
        signs.map(|(at, _)| line.indent + at).collect()
    };
    let meet = group.windows(2).any(|pair| match pair {
        [line, next] => {
            let above = joints(line);
            joints(next).iter().any(|at| above.contains(at))
        }
        _ => false,
    });
    let is_drawing = drawn >= 2
        && meet
        && drawn * 3 >= group.len()
        && group.iter().any(names)
        && !group.iter().any(is_ended);
    // Arrows alone on their lines lead from one name to the next.
    let is_stem = |line: &&Line<'_>| {
        line.words.chars().all(|c| "|^vV↑↓ ".contains(c))
            && line.words.contains(['|', '^', '↑', '↓'])
    };
    let stems = group.iter().filter(is_stem).count();
    let is_chain = stems >= 2
        && stems * 3 >= group.len()
        && group.iter().any(names)
        && !group.iter().any(is_ended);
    if is_drawing || is_chain {
        group.len()
    } else {
        0
    }
}

/// Whether lines are one command that goes on from line to line: each but the last ends in a backslash.
fn is_continued(group: &[Line<'_>]) -> bool {
    match group {
        [before @ .., last] if !before.is_empty() => {
            before.iter().all(|line| line.words.ends_with('\\')) && !last.words.ends_with('\\')
        }
        _ => false,
    }
}

/// Whether lines are XML or HTML: each begins with a tag, or goes on in one that is open.
fn is_markup(group: &[Line<'_>]) -> bool {
    let opens = |words: &str| {
        words.strip_prefix('<').is_some_and(|tag| {
            tag.starts_with(|c: char| c.is_ascii_alphabetic() || "/?!".contains(c))
                && !tag
                    .split(['>', ' '])
                    .next()
                    .unwrap_or_default()
                    .contains(['@', ':'])
        })
    };
    let is_certain = |words: &str| {
        ["</", "/>", "=\"", "='", "<?xml", "<!"]
            .iter()
            .any(|sign| words.contains(sign))
    };
    let (mut open, mut certain) = (false, false);
    for line in group {
        if !(open || opens(line.words)) {
            return false;
        }
        certain |= is_certain(line.words);
        for c in line.words.chars() {
            open = match c {
                '<' => true,
                '>' => false,
                _ => open,
            };
        }
    }
    certain && !open && group.last().is_some_and(|line| line.words.ends_with('>'))
}

/// How many lines from the start are indented by four or more and mostly code, up to a paragraph that is set in as far; the
/// paragraphs between tell nothing of the lines around them.
fn indented_code_length(lines: &[Line<'_>]) -> usize {
    let mut length = 0;
    let mut count = 0;
    let mut code = 0;
    // How many there are above the first paragraph.
    let mut own = (0, 0);
    let mut is_blank = true;
    let mut margin = usize::MAX;
    // Whether a paragraph was met, and whether one is being read.
    let mut is_over = false;
    let mut reads = false;
    for (number, line) in lines.iter().take(CODE_LINES_MAX).enumerate() {
        if line.words.is_empty() {
            is_blank = true;
            continue;
        }
        if line.indent < 4 {
            break;
        }
        if std::mem::replace(&mut is_blank, false) {
            reads = line.indent <= margin && is_read(lines, number);
            is_over |= reads;
            if is_over && length == 0 {
                return 0;
            }
        }
        if reads {
            continue;
        }
        margin = margin.min(line.indent);
        count += 1;
        code += usize::from(code_like::line(line.words));
        if !is_over {
            length = number + 1;
            own = (count, code);
        }
    }
    // Indented prose (a quotation, a list's continuation) is not code, whatever stands below the next paragraph.
    let (own_count, own_code) = own;
    if count > 0 && code * 2 >= count && own_code * 4 >= own_count {
        length
    } else {
        0
    }
}

/// Whether a paragraph begins at `from`: words that begin with a capital and end as a sentence does, or lead to what is set in
/// further below them.
fn is_read(lines: &[Line<'_>], from: usize) -> bool {
    let rest = lines.get(from..).unwrap_or_default();
    let Some(first) = rest.first() else {
        return false;
    };
    // An item is read as what it says.
    let said = lists::marker(first.words).and_then(|(length, _)| first.words.get(length..));
    if !said.unwrap_or(first.words).starts_with(char::is_uppercase) {
        return false;
    }
    let length = rest
        .iter()
        .take(CODE_LINES_MAX)
        .take_while(|line| !line.words.is_empty())
        .count();
    let (group, below) = rest.split_at(length);
    let below = below.iter().find(|line| !line.words.is_empty());
    let leads = below.is_some_and(|below| below.indent >= first.indent + ANNOUNCED_INDENT)
        && group.iter().all(|line| line.indent == first.indent);
    // A few words alone that lead to what is shown: `For the other command:`.
    let is_lead = group.len() == 1
        && first.words.ends_with(':')
        && first.words.split(' ').count() >= LEAD_WORDS_MIN
        && !code_like::line(first.words);
    is_lead || code_like::is_paragraph(group.iter().map(|line| line.words), leads)
}

/// Words that lead to what is shown are so many at least.
pub(super) const LEAD_WORDS_MIN: usize = 3;
/// How much further than its target a makefile indents what is done for it.
const RECIPE_INDENT: usize = 4;
/// What is centred is indented so far, and its middle, taken twice, is here.
const CENTRED_INDENT_MIN: usize = 16;
const MIDDLE_TWICE: std::ops::RangeInclusive<usize> = 64..=82;
/// Where a tab ends, in columns.
const TAB_COLUMNS: usize = 8;
/// GNU's info fills words up to this column at least.
const FILLED_COLUMNS: usize = 70;

/// How much further than the words that announce it code is indented.
pub(super) const ANNOUNCED_INDENT: usize = 2;

/// How many lines from the start are indented so far, in groups that are all code.
fn indented_length(
    lines: &[Line<'_>],
    indent: usize,
    is_code: impl Fn(&[Line<'_>], bool) -> bool,
) -> usize {
    let mut length = 0;
    let mut from = 0;
    while let Some(rest) = lines.get(from..).filter(|rest| !rest.is_empty()) {
        let group = rest
            .iter()
            .take_while(|line| !line.words.is_empty() && line.indent >= indent)
            .count();
        let (stretch, behind) = rest.split_at(group);
        let runs_on = behind.first().is_some_and(|line| !line.words.is_empty());
        if runs_on || !is_code(stretch, from == 0) {
            break;
        }
        length = from + group;
        let gap = behind
            .iter()
            .take_while(|line| line.words.is_empty())
            .count();
        from = length + gap;
    }
    length
}

/// How many lines from the start the text marks as code.
pub(super) fn marked_length(lines: &[Line<'_>]) -> usize {
    lines.iter().take_while(|line| line.is_marked).count()
}

/// How many lines from the start are typed right below words that begin at `column`, without an empty line between: at a prompt, as
/// settings, or, where the words `above` lead to them, indented further and each with a sign of code; in a file of info, as far as it
/// sets in examples, whatever they look like.
pub(super) fn glued_length(
    lines: &[Line<'_>],
    above: &str,
    column: usize,
    layout: &Layout,
) -> usize {
    let typed = marked_length(lines).max(shapes::typed_length(lines));
    // What is typed first in an example is not all of it.
    let example = example_length(lines, above, column, layout);
    // Below what a program answers, a call is a part of that session.
    let is_answer = !above.starts_with(|c: char| c.is_alphanumeric() || "('\"‘“".contains(c))
        && lists::marker(above).is_none();
    let signatures = match is_answer {
        true => 0,
        false => signatures_length(lines, layout),
    };
    if typed > 0 || signatures > 0 {
        return typed.max(example).max(signatures);
    }
    if example > 0 || !announces(above) {
        return example;
    }
    let set_in = |by: usize| {
        lines
            .iter()
            .take(CODE_LINES_MAX)
            .take_while(|line| !line.words.is_empty() && line.indent >= column + by)
            .count()
    };
    // What root types, where words end that lead to it.
    let is_prompted = |words: &str| begins_low(words) || code_like::is_prompted(words);
    let is_typed_below = |line: &&Line<'_>| above.ends_with(':') && is_prompted(line.words);
    let prompted = lines.iter().take_while(is_typed_below).count();
    let prompted = match above.ends_with(':') {
        true => prompted.max(typed::commands_length(lines, true)),
        false => prompted,
    };
    if prompted > 0 {
        return prompted;
    }
    let length = set_in(ANNOUNCED_INDENT);
    let stretch = lines.get(..length).unwrap_or_default();
    let has_sign = |words: &str| {
        words.contains(['/', '_', '=', '~', '$', '{', '(', '\\'])
            || code_like::line(words)
            || is_command(words)
    };
    let is_code = |line: &Line<'_>| has_sign(line.words) && !line.words.contains("://");
    let is_read = layout.is_info && is_words(stretch);
    if is_typed(stretch, true) && stretch.iter().all(is_code) && !is_read {
        length
    } else {
        0
    }
}

/// What the last word of an open sentence is that goes on with what somebody types.
const LEADING_WORDS: [&str; 14] = [
    "with", "mit", "avec", "con", "running", "read", "see", "do", "run", "type", "use", "using",
    "typing", "execute",
];

/// Whether `words` lead to what is shown below them.
pub(super) fn announces(words: &str) -> bool {
    let words = code_like::without_note(words);
    words.ends_with([':', '：'])
        || words
            .rsplit(' ')
            .next()
            .is_some_and(|last| LEADING_WORDS.contains(&last))
}

/// Whether indented lines below words that announce them are typed and not read: no list, no term above what it means, no sentence.
fn is_typed(lines: &[Line<'_>], is_first: bool) -> bool {
    let Some(first) = lines.first() else {
        return false;
    };
    let is_over = match lines.get(1) {
        Some(next) => is_first && next.indent > first.indent && !code_like::line(first.words),
        None => announces(first.words),
    };
    let explains = is_over && lines.iter().all(|line| !line.words.ends_with('\\'));
    let is_listed = lines
        .iter()
        .any(|line| lists::marker(line.words).is_some() || line.words.starts_with("http"));
    let words: Vec<&str> = lines.iter().map(|line| line.words).collect();
    let has_code = words
        .iter()
        .any(|line| code_like::line(line) || is_command(line));
    !explains
        && !is_listed
        && !code_like::is_sentence(words.iter().copied())
        && (has_code || is_short(&words))
}

/// Whether lines are no longer than what somebody types.
fn is_short(lines: &[&str]) -> bool {
    lines.iter().all(|line| {
        // Nobody types in scripts without capitals: blanks do not count their words either.
        let letters = line.chars().filter(|c| c.is_alphabetic());
        let (latin, foreign): (Vec<char>, Vec<char>) =
            letters.partition(|c| c.is_lowercase() || c.is_uppercase());
        line.split(' ').count() <= TYPED_WORDS_MAX
            && latin.len() >= foreign.len()
            && !line.ends_with(['.', '!', '?', ':', ','])
    })
}

/// A command or a setting without signs of code has no more words.
const TYPED_WORDS_MAX: usize = 6;

/// Whether a line is a request of roff, which is one only where it begins a line: `.PS`, `.sp 4`.
fn is_request(words: &str) -> bool {
    let name = words
        .split_whitespace()
        .next()
        .and_then(|first| first.strip_prefix('.'));
    name.is_some_and(|name| name.len() == 2 && name.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Whether a line is a command with an option, as it is typed.
pub(super) fn is_command(words: &str) -> bool {
    if is_request(words) {
        return true;
    }
    let mut words_of = words.split_whitespace();
    let is_name = words_of.next().is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_lowercase() || c == '/')
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
    });
    let is_option = |word: &str| {
        word.strip_prefix('-').is_some_and(|option| {
            option
                .trim_start_matches('-')
                .starts_with(|c: char| c.is_ascii_alphabetic())
        })
    };
    is_name && !words.ends_with(['.', ',', ':', ';']) && words_of.take(3).any(is_option)
}

/// Whether what stands behind one hash begins with a small letter or as a path does.
pub(super) fn begins_low(line: &str) -> bool {
    line.strip_prefix("# ")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_lowercase() || "/.~".contains(c)))
}

/// Whether a line begins with the prompt of root, and is no heading: what stands behind it is a command with a path, an option or
/// an assignment.
pub(super) fn is_prompt(line: &str) -> bool {
    let typed = line.strip_prefix("# ").unwrap_or("");
    let is_given =
        |word: &str| word.contains(['/', '=']) || word.starts_with('-') && word.len() > 1;
    begins_low(line) && (typed.split_whitespace().any(is_given) || code_like::line(typed))
}

/// Whether a line sets something: `[section]`, `key=value`, `<Section *:80>`, `Port 22`, `LoadModule heat`.
pub(super) fn is_set(line: &str) -> bool {
    let is_section = line.ends_with('>')
        && line
            .strip_prefix('<')
            .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()));
    let is_value = |value: &str| {
        matches!(value, "yes" | "no" | "on" | "off" | "On" | "Off")
            || value.starts_with('/')
            || value.bytes().all(|b| b.is_ascii_digit() || b == b'.') && !value.ends_with('.')
    };
    let is_joined = |name: &str, value: &str| {
        let mut above = '_';
        name.chars().any(|c| {
            std::mem::replace(&mut above, c).is_ascii_lowercase() && c.is_ascii_uppercase()
        }) && value.split_whitespace().count() < TYPED_WORDS_MAX
            && !value.ends_with(['.', '!', '?', ':', ','])
    };
    shapes::is_setting(line)
        || is_section
        || line.split_once(' ').is_some_and(|(name, value)| {
            name.bytes().all(|b| b.is_ascii_alphanumeric())
                && (is_value(value) || is_joined(name, value))
        })
}

/// How many lines from the start are a configuration with its comment: `# Heat of the burner`, and below it what is set.
fn commented_length(lines: &[Line<'_>]) -> usize {
    let begins = lines
        .first()
        .is_some_and(|line| line.words.starts_with("# "));
    if !begins {
        return 0;
    }
    let group = lines
        .iter()
        .take(CODE_LINES_MAX)
        .take_while(|line| !line.words.is_empty())
        .count();
    let (group, _) = lines.split_at(group.min(lines.len()));
    let (comments, set): (Vec<&Line<'_>>, Vec<&Line<'_>>) =
        group.iter().partition(|line| line.words.starts_with('#'));
    let is_set = set.iter().all(|line| {
        let is_inside = group
            .first()
            .is_some_and(|first| line.indent > first.indent);
        (line.words.starts_with(|c: char| !c.is_uppercase()) || is_inside || is_set(line.words))
            && lists::marker(line.words).is_none()
    });
    let is_prose = code_like::is_sentence(set.iter().map(|line| line.words));
    if !comments.is_empty() && !set.is_empty() && is_set && !is_prose {
        group.len()
    } else {
        0
    }
}

/// Whether a line ends before it had to: the next word would have stood on it. A line alone is, when it is no sentence.
pub(super) fn is_unfilled(lines: &[Line<'_>], margin: usize) -> bool {
    let Some(first) = lines.first() else {
        return false;
    };
    if lists::marker(first.words).is_some()
        || first.words.starts_with('*')
        || lines.iter().all(|line| is_centred(line, margin))
    {
        return false;
    }
    // A remark of a file that is shown may be a sentence, and as long as one; what a backslash leaves open goes on in the next line.
    if ["% ", "# ", "// ", "/*"]
        .iter()
        .any(|mark| first.words.starts_with(mark))
        || lines.len() > 1 && first.words.ends_with(" \\")
    {
        return true;
    }
    if lines.len() == 1 {
        let is_sentence =
            first.words.ends_with(['.', '!', '?', ':']) && first.words.split(' ').count() >= 6;
        return !is_sentence;
    }
    lines.windows(2).any(|pair| {
        let [line, next] = pair else { return false };
        let word = next.words.split_whitespace().next().unwrap_or("");
        let width = |words: &str| words.chars().count();
        margin + line.indent + width(line.words) + 2 + width(word) <= FILLED_COLUMNS
    })
}

/// Whether words stand in the middle of the page, as those below a title do.
fn is_centred(line: &Line<'_>, margin: usize) -> bool {
    let indent = margin + line.indent;
    let middle = 2 * indent + line.words.chars().count();
    indent >= CENTRED_INDENT_MIN
        && MIDDLE_TWICE.contains(&middle)
        && line.words.contains(' ')
        && line.words.starts_with(char::is_uppercase)
        && !code_like::line(line.words)
}

/// The code that `lines` are, to the letter, without what a printer or a program put between them.
pub(super) fn block(text: &str, lines: &[Line<'_>]) -> Option<Block> {
    let (first, last) = (lines.first()?, lines.last()?);
    let mut code: Vec<&str> = Vec::with_capacity(lines.len());
    let mut in_break = false;
    for line in lines {
        if !line.words.is_empty() {
            in_break = false;
            code.push(whole(text, line)?);
        } else if !line.range.is_empty() {
            // What was taken out had empty lines around it.
            in_break = true;
            let kept = code.iter().rposition(|line| !line.is_empty());
            code.truncate(kept.map_or(0, |at| at + 1));
        } else if !in_break {
            code.push("");
        }
    }
    let code = without_margin(&code);
    Some(Block {
        kind: BlockKind::Code {
            language: None,
            text: code.join("\n").trim_end().to_owned(),
        },
        span: Span::of(first.range.start..last.range.end),
    })
}

/// Lines without the white space that stands before all of them: where some have tabs there and others blanks, tabs are blanks too.
fn without_margin<'t>(lines: &[&'t str]) -> Vec<Cow<'t, str>> {
    let filled = || lines.iter().filter(|line| !line.is_empty());
    let least = filled().map(|line| margin(line)).min_by_key(|it| it.len());
    let least = least.unwrap_or("");
    if filled().all(|line| line.starts_with(least)) {
        let bare = |line: &&'t str| line.strip_prefix(least).unwrap_or("").into();
        return lines.iter().map(bare).collect();
    }
    let columns = |line: &str| {
        margin(line).chars().fold(0, |at, c| match c {
            '\t' => (at / TAB_COLUMNS + 1) * TAB_COLUMNS,
            _ => at + 1,
        })
    };
    let least = filled().map(|line| columns(line)).min().unwrap_or(0);
    let bare = |line: &&'t str| {
        let indent = columns(line).saturating_sub(least);
        Cow::Owned(format!("{}{}", " ".repeat(indent), line.trim_start()))
    };
    lines.iter().map(bare).collect()
}

/// The white space that a line begins with.
fn margin(line: &str) -> &str {
    line.get(..line.len() - line.trim_start().len())
        .unwrap_or("")
}

/// A line with the blanks around it.
fn whole<'t>(text: &'t str, line: &Line<'_>) -> Option<&'t str> {
    let start = line.range.start - line.lead;
    // What marks a line stands behind its words.
    if line.is_marked {
        return text.get(start..line.range.end);
    }
    let line = text.get(start..)?.split('\n').next()?;
    Some(line.trim_end_matches('\r'))
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn names_with_arrows_between_them_are_drawn() {
        let source = "It goes like this:\n\n                 kiln (4.9)\n                     ^\n                     |\n              wood, coal (2.9)\n                     ^\n                     |\n                   tree\n\nSo it is.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "It goes like this:\n\n```\n   kiln (4.9)\n       ^\n       |\nwood, coal (2.9)\n       ^\n       |\n     tree\n```\n\nSo it is.\n"
        );
    }

    #[test]
    fn words_with_a_note_behind_them_end_the_code_above_and_lead_to_what_is_below() {
        let source = "Kilns\n=====\n\n    It is told in the file so:\n\n    fire: wood\n            burn -a $(WOOD)\n            burn -b $(COAL)\n\n    Let's write this down and look at the file that it has\n    made of it: ^[22]\n\n    $ cat ash\n    $ cat coal\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# Kilns\n\nIt is told in the file so:\n\n```\nfire: wood\n        burn -a $(WOOD)\n        burn -b $(COAL)\n```\n\nLet's write this down and look at the file that it has made of it: ^[22]\n\n```\n$ cat ash\n$ cat coal\n```\n"
        );
    }

    #[test]
    fn scripts_rules_and_drawings_are_code_as_far_in_as_the_words_that_lead_to_them() {
        for (above, shown) in [
            (
                "    Add these lines to the file of it, as all of them do here:\n\n",
                "alias fire=\"kiln --rc=${HOME}/.kiln\"\n. /usr/share/kiln/completions\ncomplete -F _kiln -o filenames fire\n",
            ),
            (
                "  * add a target to your rules:\n\n",
                "override_fire:\n        burn wood in it\n        wait\n",
            ),
            (
                "    A box like this is a kiln, and one beside it another.\n\n",
                "+====+\n|    | <-- it may be open\n+====+\n",
            ),
            (
                "    It is made of these, and nobody has seen it.\n\n",
                "wood.in-----+-> fire -+-> heat\ncoal.in-----+         |\n                      +-> ash\n",
            ),
        ] {
            let set_in: String = shown.lines().map(|line| format!("    {line}\n")).collect();
            let text = write(
                &read(format!(
                    "1. Kilns\n\n    They are hot.\n\n2. Use\n\n{above}{set_in}\n    That is all.\n"
                ))
                .blocks,
            );
            let code: String = shown.lines().map(|line| format!("{line}\n")).collect();
            let flat = text.replace("\n  ", "\n");
            assert!(
                text.contains(&format!("```\n{code}```")) || flat.contains("```\noverride_fire:\n"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_word_that_warns_is_no_target_and_words_beside_signs_are_no_drawing() {
        for said in [
            "    Warning:\n        Never open the door while it is hot, and stay\n        away from it, as it burns\n",
            "    Kilns --+-- doors and many words\n    of people who wrote them --+-- and go on\n",
        ] {
            let source = format!(
                "1. Kilns\n\n    The notes are said below, and all of them hold here:\n\n{said}\n    That is all.\n"
            );
            let text = write(&read(source).blocks);
            assert!(!text.contains("```"), "{text}");
        }
    }

    #[test]
    fn a_few_words_that_lead_to_a_command_and_items_with_signs_are_read() {
        let source = "Kilns\n=====\n\n    It is told by an option.\n\n    For the kiln command:\n\n    $ kiln -sa\n\n    For the oven command:\n\n    $ oven -sa\n\nIt burns if these are met:\n\n      * The file must follow the rules and have the $\n        (WOOD) variable. ^[23]\n\n      * The source must follow it (all).\n";
        let text = write(&read(source.to_owned()).blocks);
        assert!(
            text.contains("\nFor the oven command:\n\n```\n$ oven -sa\n```\n"),
            "{text}"
        );
        assert!(text.contains("\n- The file must follow"), "{text}");
    }

    #[test]
    fn items_above_a_paragraph_are_no_code_though_code_stands_below_it() {
        let source = "Kilns\n=====\n\n    They have papers of their own, as each of them knows:\n\n      * Oak\n\n      * Ash\n\n    There is another old word which somebody has said in the\n    night. ^[9]\n\n    $ cat oak\n    $ cat ash\n    $ cat coal\n    $ cat heat\n";
        let text = write(&read(source.to_owned()).blocks);
        assert!(text.contains("\n\n- Oak\n- Ash\n\nThere is"), "{text}");
    }

    #[test]
    fn requests_of_roff_are_code_where_they_stand() {
        let source = "The space is told by the request\n\n     .sp 4\n\nand this shows a door:\n\n     .PS\n     box \"door\";\n     arrow\n     .PE\n\nIt opens.\n";
        let text = write(&crate::text::read_plain(source.to_owned()).blocks);
        assert!(text.contains("```\n.sp 4\n```"), "{text}");
        assert!(
            text.contains("```\n.PS\nbox \"door\";\narrow\n.PE\n```"),
            "{text}"
        );
    }

    #[test]
    fn code_that_goes_on_over_a_page_break_is_without_it() {
        let source = "1.  Introduction\n\n   It is sent in this form:\n\n       struct kiln {\n           int heat;\n\nAuthor                Standards Track                [Page 1]\n\u{c}\nRFC 9999                 Kilns                 May 2026\n\n           int wood;\n       };\n\n   Then come the words.\n";
        let markdown = write(&read(source.to_owned()).blocks);
        assert!(
            markdown.contains("```\nstruct kiln {\n    int heat;\n    int wood;\n};\n```\n"),
            "{markdown}"
        );
    }

    #[test]
    fn what_words_announce_and_indent_is_code_to_the_letter() {
        let source = "Export the list with the command:\n\n    dpkg --get-selections \\* > list.txt\n\nand edit it. They were told:\n\n    The kiln is hot and nobody stands\n    beside it.\n\nI check with\n\n  kiln status\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "Export the list with the command:\n\n```\ndpkg --get-selections \\* > list.txt\n```\n\nand edit it. They were told:\n\nThe kiln is hot and nobody stands beside it.\n\nI check with\n\n```\nkiln status\n```\n"
        );
    }

    #[test]
    fn what_is_typed_right_below_words_is_code() {
        let source = "1. Get it:\n   $ apt install kiln\n   $ kiln --on\n2. Edit the file:\n   [kiln]\n   heat = 7\n3. It says:\n     the kiln is hot\n     in the night\n\nFiles:\n   /etc/kiln.conf\n   ~/.kilnrc\nOr ask\nAda.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "1. Get it:\n\n   ```\n   $ apt install kiln\n   $ kiln --on\n   ```\n\n2. Edit the file:\n\n   ```\n   [kiln]\n   heat = 7\n   ```\n\n3. It says: the kiln is hot in the night\n\nFiles:\n\n```\n/etc/kiln.conf\n~/.kilnrc\n```\n\nOr ask Ada.\n"
        );
    }

    #[test]
    fn a_command_over_several_lines_and_a_file_of_tags_are_code_wherever_they_stand() {
        let source = "Fire it:\n\nkiln \\\n--heat 7 \\\npots.xml\n\nThe file:\n\n<?xml version=\"1.0\"?>\n<kiln\nheat=\"7\">\n\n<pot/>\n</kiln>\n\nIt burns <em>a lot</em> of\nwood.\n\nWrite to <ada@kiln.example>\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "Fire it:\n\n```\nkiln \\\n--heat 7 \\\npots.xml\n```\n\nThe file:\n\n```\n<?xml version=\"1.0\"?>\n<kiln\nheat=\"7\">\n```\n\n```\n<pot/>\n</kiln>\n```\n\nIt burns \\<em>a lot\\</em> of wood.\n\nWrite to \\<ada@kiln.example>\n"
        );
    }

    #[test]
    fn rulers_below_each_other_are_no_code_and_no_heading() {
        let source = "===============\n===============\n\nThe kiln is hot, and so is the clay.\n\n===============\n===============\n\nIt burns.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "The kiln is hot, and so is the clay.\n\nIt burns.\n"
        );
    }

    #[test]
    fn a_configuration_with_comments_is_code_and_no_markdown() {
        let source = "The Tool Manual\n\nIt reads mail.\n\n# Weed all headers\nignore *\nunignore from date\n\n# Default: save to the folder\nsave-hook . ~/Mail/%F\n\nMore text.\n\n# Keep the ticket\nsubjectrx a b\n\n# Keep it here\nkeep=yes\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# The Tool Manual\n\nIt reads mail.\n\n```\n# Weed all headers\nignore *\nunignore from date\n```\n\n```\n# Default: save to the folder\nsave-hook . ~/Mail/%F\n```\n\nMore text.\n\n```\n# Keep the ticket\nsubjectrx a b\n```\n\n```\n# Keep it here\nkeep=yes\n```\n"
        );
    }

    #[test]
    fn paragraphs_set_in_as_far_as_code_around_them_are_read() {
        let prose = "        The properties are kept using the following formula:\n\n            Heat = (pb * 5 + lp) * 9 + lc\n\n        The following code illustrates a straightforward way to\n        decode the heat of it:\n\n            uint8_t lc, lp, pb;\n            if (prop > (4 * 5 + 4) * 9 + 8)\n                return ERROR;\n\n            pb = prop / (9 * 5);\n\n        It is hot in there, and nobody stays awake\n        beside it.\n";
        assert_eq!(
            write(&read(format!("Heat\n====\n\n{prose}")).blocks),
            "# Heat\n\nThe properties are kept using the following formula:\n\n```\nHeat = (pb * 5 + lp) * 9 + lc\n```\n\nThe following code illustrates a straightforward way to decode the heat of it:\n\n```\nuint8_t lc, lp, pb;\nif (prop > (4 * 5 + 4) * 9 + 8)\n    return ERROR;\n\npb = prop / (9 * 5);\n```\n\nIt is hot in there, and nobody stays awake beside it.\n"
        );
    }

    #[test]
    fn commands_that_an_open_sentence_leads_to_are_code() {
        assert_eq!(
            write(&read("Building\n========\n\nAs with all kilns, you just have to do\n\n  ./configure\n  make\n  make install\n\nThen wait for it. The poets of the north say\n\n  the night\n  is long\n".to_owned()).blocks),
            "# Building\n\nAs with all kilns, you just have to do\n\n```\n./configure\nmake\nmake install\n```\n\nThen wait for it. The poets of the north say\n\nthe night is long\n"
        );
    }
}
