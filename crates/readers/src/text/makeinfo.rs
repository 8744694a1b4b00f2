//! Owns what a file of info sets in without quotes or an empty line around it: which of it is an example, and which is words.

use super::code::{CODE_LINES_MAX, LEAD_WORDS_MIN, is_command, is_unfilled};
use super::signatures::is_open;
use super::{Layout, Line, lists, shapes, tables, typed};
use crate::code_like;

/// How much further in than it goes on GNU's info begins a paragraph.
pub(super) const PARAGRAPH_INDENT: usize = 3;
/// How much further than the text around it GNU's info indents an example.
pub(super) const EXAMPLE_INDENT: usize = 5;
/// How far it sets in what is shown as it stands.
const FLUSH_INDENT: usize = 1;

/// How many lines from the start are an example in a file of info, right below words that begin at `column`: below those that end a
/// sentence or lead to it, and where they begin a line or a paragraph, below any; with what is set in as far behind empty lines.
pub(super) fn example_length(
    lines: &[Line<'_>],
    above: &str,
    column: usize,
    layout: &Layout,
) -> usize {
    let leads =
        (above.ends_with(':') || above.ends_with(":*")) && above.contains(char::is_alphanumeric);
    let is_margin = matches!(column, 0 | PARAGRAPH_INDENT);
    let Some(first) = lines.first().filter(|_| layout.is_info) else {
        return 0;
    };
    // What stands alone at the margin may be a term above what it means.
    let is_said = || match column {
        0 => above.ends_with(',') || is_of_sentence(above),
        PARAGRAPH_INDENT => !code_like::line(above),
        _ => false,
    };
    // What goes on within brackets is not all of what is shown.
    if !(leads || above.ends_with('.') || is_said()) || is_open(above) {
        return 0;
    }
    let margin = if is_margin { 0 } else { column };
    let indent = match is_margin && first.indent < PARAGRAPH_INDENT {
        true => FLUSH_INDENT,
        false => margin + EXAMPLE_INDENT,
    };
    let example = set_in(lines, indent);
    let behind = lines.get(example.len()..).and_then(<[_]>::first);
    // Words go on below an example where they begin a line, or a paragraph.
    let is_back = |line: &Line<'_>| {
        line.words.is_empty() || is_margin && matches!(line.indent, 0 | PARAGRAPH_INDENT)
    };
    // Words alone may be what is said to the reader; below a sentence, so may be words with a sign among them.
    let is_led = || {
        let has_sign = |words: &str| words.contains(|c: char| "/_=~$%{}()[<>\\\":;".contains(c));
        leads && indent > FLUSH_INDENT && example.iter().any(|line| has_sign(line.words))
    };
    if example.is_empty()
        || !behind.is_none_or(is_back)
        || !(is_led() || is_evident(example))
        || is_words(example)
        || holds_items(example)
        || !is_unfilled(example, layout.margin)
    {
        return 0;
    }
    let is_code = |group: &[Line<'_>]| match indent {
        FLUSH_INDENT => is_evident(group),
        _ => is_unfilled(group, layout.margin),
    };
    let mut length = example.len();
    while let Some(rest) = lines.get(length..) {
        let gap = rest.iter().take_while(|line| line.words.is_empty()).count();
        let more = rest.get(gap..).unwrap_or_default();
        let group = set_in(more, indent);
        let behind = more.get(group.len()).is_none_or(is_back);
        if gap == 0 || group.is_empty() || !behind || !is_code(group) || is_words(group) {
            break;
        }
        length += gap + group.len();
    }
    length
}

/// Whether words are so many of a sentence that they are no term.
fn is_of_sentence(words: &str) -> bool {
    words.split_whitespace().count() >= LEAD_WORDS_MIN
        && !words.contains(['[', '{', '=', '|', '<'])
        && !code_like::line(words)
}

/// How many lines from the start are an example in a file of info, right above words that begin a line or a paragraph.
pub(super) fn over_words_length(lines: &[Line<'_>], indent: usize, layout: &Layout) -> usize {
    let example = set_in(lines, indent);
    let goes_on =
        |line: &Line<'_>| !line.words.is_empty() && matches!(line.indent, 0 | PARAGRAPH_INDENT);
    let behind = lines.get(example.len());
    let is_shown = !example.is_empty()
        && behind.is_some_and(goes_on)
        && is_evident(example)
        && !is_words(example)
        && !holds_items(example)
        && is_unfilled(example, layout.margin);
    if is_shown { example.len() } else { 0 }
}

/// The lines from the start, up to an empty one, that are set in so far; less far than a paragraph begins, up to one as well.
fn set_in<'l, 'a>(lines: &'l [Line<'a>], indent: usize) -> &'l [Line<'a>] {
    let is_over = |line: &Line<'_>| {
        indent < PARAGRAPH_INDENT
            && line.indent == PARAGRAPH_INDENT
            && line.words.starts_with(char::is_uppercase)
            && !code_like::line(line.words)
    };
    let is_inside =
        |line: &&Line<'_>| !line.words.is_empty() && line.indent >= indent && !is_over(line);
    let inside = lines.iter().take(CODE_LINES_MAX).take_while(is_inside);
    lines.get(..inside.count()).unwrap_or_default()
}

/// Whether at least half of the lines are what nobody says: a command, or what ends as a line of code does.
fn is_evident(example: &[Line<'_>]) -> bool {
    let is_typed = |line: &&Line<'_>| {
        line.words.ends_with([';', '{', '}', '&'])
            || line.words.starts_with("/*")
            || code_like::line(line.words)
            || is_command(line.words)
            || typed::is_command(line.words)
            || shapes::is_setting(line.words)
            || !line.words.contains(char::is_alphabetic)
    };
    let signs = example.iter().filter(is_typed).count();
    signs * 2 >= example.len() && !code_like::is_sentence(example.iter().map(|line| line.words))
}

/// The lines up to an empty one.
pub(super) fn group_of<'l, 'a>(lines: &'l [Line<'a>]) -> &'l [Line<'a>] {
    let group = lines.iter().take(CODE_LINES_MAX);
    let group = group.take_while(|line| !line.words.is_empty());
    lines.get(..group.count()).unwrap_or_default()
}

/// Whether lines of a file of info that are set in are to be read: they refer the reader to what is said elsewhere, begin with a term in
/// quotes, or are links. makeinfo puts no quotes around what is an example already.
pub(super) fn is_words(lines: &[Line<'_>]) -> bool {
    let refers = |line: &Line<'_>| {
        let place = reference(line.words).or_else(|| line.words.find("(see "));
        place.is_some_and(|at| !is_remarked(line.words, at))
    };
    lines.iter().any(refers)
        || lines.first().is_some_and(|line| is_quoted(line.words))
        || lines.iter().all(|line| address(line.words).is_some())
}

/// Whether lines that stand alone are a link between brackets, or refer to what is said elsewhere so often that they are no code. An
/// address without brackets may be an example of one there.
pub(super) fn is_linked(lines: &[Line<'_>]) -> bool {
    let refers =
        |line: &&Line<'_>| reference(line.words).is_some_and(|at| !is_remarked(line.words, at));
    let refer = lines.iter().filter(refers).count();
    match lines {
        [line] => address(line.words) == Some(true) || refer > 0,
        lines => refer * 2 > lines.len(),
    }
}

/// Whether the address that a line is and nothing else stands between brackets.
fn address(words: &str) -> Option<bool> {
    let words = words.trim_end_matches(['.', ',']);
    let closed = words.strip_prefix('<').and_then(|it| it.strip_suffix('>'));
    let address = closed.unwrap_or(words);
    // A form of addresses has more signs than an address: `http://HOST[:PORT]`.
    let is_address = ["http://", "https://", "ftp://"]
        .iter()
        .any(|scheme| address.starts_with(scheme))
        && !address.contains([' ', '[', ']', '{', '}', '<', '>']);
    is_address.then_some(closed.is_some())
}

/// Where words refer to a node of a file of info.
fn reference(words: &str) -> Option<usize> {
    let open = words.strip_suffix("*note").map(str::len);
    words
        .find("*note ")
        .or_else(|| words.find("*Note "))
        .or(open)
}

/// Whether what stands at a place in a line is within a remark.
fn is_remarked(words: &str, at: usize) -> bool {
    let before = words.get(..at).unwrap_or_default();
    before.starts_with(['*', ';', '%'])
        || ["#", "/*", " //", "dnl "]
            .iter()
            .any(|mark| before.contains(mark))
        || before.starts_with("//")
}

/// Whether a line is a term in quotes with words behind it, or in quotes that nobody types: `‘s’ for seconds`.
fn is_quoted(words: &str) -> bool {
    let behind = |open: char, close: char| words.strip_prefix(open)?.split_once(close);
    let is_said = |rest: &str| {
        let said = rest.strip_prefix(' ').unwrap_or_default();
        said.starts_with(|c: char| c.is_alphabetic() || c == '(')
    };
    behind('‘', '’').is_some_and(|(_, rest)| rest.is_empty() || is_said(rest))
        || behind('\'', '\'').is_some_and(|(term, rest)| !term.is_empty() && is_said(rest))
}

/// Whether items, or words beside what they mean, are among lines; the stars of a remark in a program are neither.
fn holds_items(lines: &[Line<'_>]) -> bool {
    let mut in_remark = false;
    lines.iter().any(|line| {
        in_remark |= line.words.starts_with("/*");
        let is_read = !in_remark;
        in_remark &= !line.words.contains("*/");
        // What is set to a value, or given to a command, may be in a column as well.
        let is_row = || {
            let columns = shapes::columns(line.words);
            columns.is_some_and(|(_, rest)| !rest.starts_with(['=', '-']))
                && !is_command(line.words)
        };
        is_read
            && (lists::marker(line.words).is_some() || line.words.starts_with("-- ") || is_row())
    })
}

/// How many lines from the start belong together where so many do up to an empty line and an example of a file of info begins among
/// them, which goes on behind it.
pub(super) fn with_example(lines: &[Line<'_>], length: usize, layout: &Layout) -> usize {
    if !layout.is_info {
        return length;
    }
    let group = lines.iter().take(length).enumerate();
    let mut ends = group.filter_map(|(at, above)| {
        let below = lines.get(at + 1..)?;
        let example = example_length(below, above.words, above.indent, layout);
        let rows = tables::spaced_length(below);
        Some(at + 1 + example.max(rows))
    });
    ends.find(|end| *end > length).unwrap_or(length)
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn what_makeinfo_sets_in_right_below_words_is_code_up_to_where_they_go_on() {
        let plain = |body: &str| format!("Kilns\n*****\n\n1 Fire\n======\n\n{body}");
        let node = |body: &str| {
            format!("\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n{body}")
        };
        let commands = "It is hot in there.  Open the door and then fire it,\n        kiln --fire --file oak.wood &\n   and wait for it.  The file has all the wood which was\nput there.\n\n   Look at the ash.\n        kiln --heat 7 \\\n        --wood oak\n   It is dry.\n\n   Start it\n     kiln&\n   Then it burns.  Write\n     Kiln\n     {\n       Heat      = 900\n       Modifier  = Any\n     }\n   Done.\n";
        for text in [plain(commands), node(commands)] {
            let text = write(&read(text).blocks);
            assert!(
                text.ends_with("then fire it,\n\n```\nkiln --fire --file oak.wood &\n```\n\nand wait for it. The file has all the wood which was put there.\n\nLook at the ash.\n\n```\nkiln --heat 7 \\\n--wood oak\n```\n\nIt is dry.\n\nStart it\n\n```\nkiln&\n```\n\nThen it burns. Write\n\n```\nKiln\n{\n  Heat      = 900\n  Modifier  = Any\n}\n```\n\nDone.\n"),
                "{text}"
            );
        }
        let flush = "We fire what has a name, and then the others, as they\ncome.\n  % right side (outside to right)\n  def R1 (1,1,1) def R2 (1,-1,1)\n\n  % left side (outside to right)\n  def W  [2,0,0]\n  def L1 (R1)-[W] def L2 (R2)-[W]\nTo open it, we use a door slightly in front of the\nkiln.\n  % door\n  def e .01\n   Time to look at it.  Add the line\n  {kiln}\nand this is hot.\n";
        let text = write(&read(node(flush)).blocks);
        assert!(
            text.ends_with("as they come.\n\n```\n% right side (outside to right)\ndef R1 (1,1,1) def R2 (1,-1,1)\n\n% left side (outside to right)\ndef W  [2,0,0]\ndef L1 (R1)-[W] def L2 (R2)-[W]\n```\n\nTo open it, we use a door slightly in front of the kiln.\n\n```\n% door\ndef e .01\n```\n\nTime to look at it. Add the line\n\n```\n{kiln}\n```\n\nand this is hot.\n"),
            "{text}"
        );
        for said in [
            "They say\n     the night is long,\n     and so it is.\n",
            "It has these:\n   * oak\n     (red)\n   The others follow.\n",
            "HOT_ONLY\n     ONLY_HOT (old kilns)\nHEAT_ALL\n     HOT_ALL (old kilns)\n",
            "Write to us\n     Kiln Street 5\n     1234 Town\n   Or do not.\n",
        ] {
            let text = write(&read(node(said)).blocks);
            assert!(!text.contains("```"), "{text}");
        }
    }

    #[test]
    fn variables_that_are_set_below_words_are_typed_and_items_with_references_are_none() {
        let text = write(
            &read("\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n   These burn:\n\n   * Oak (see the 'oak' page)\n   * Ash (*note (ash)::)\n   * Elm (*note (elm)::)\n\n   For example, given\n     setenv wood /hill/oak\n     setenv WOODS .:$wood:${wood}dry\nthe kiln is hot.  For example,\n     setenv WOODS ~/woods:\n\nwill burn.\n".to_owned()).blocks,
        );
        assert!(
            text.ends_with("These burn:\n\n- Oak (see the 'oak' page)\n- Ash (see ash)\n- Elm (see elm)\n\nFor example, given\n\n```\nsetenv wood /hill/oak\nsetenv WOODS .:$wood:${wood}dry\n```\n\nthe kiln is hot. For example,\n\n```\nsetenv WOODS ~/woods:\n```\n\nwill burn.\n"),
            "{text}"
        );
    }

    #[test]
    fn what_refers_quotes_or_links_in_a_file_of_info_is_no_code_though_it_is_set_in() {
        let node = |body: &str| {
            let body = format!(
                "\u{1f}\nFile: kiln.info,  Node: Fire,  Up: Top\n\n1 Fire\n******\n\n{body}"
            );
            write(&read(body).blocks)
        };
        for said in [
            "Heat with positions\n     ‘heat \"%2$d\"’\n     In wood: ‘fire \"%2$d\"’ (*note Wood:\n     (kiln)Top.)\n",
            "The heat is a number followed by an optional unit:\n     ‘s’ for seconds (the default)\n     ‘m’ for minutes\n     ‘h’ for hours\n   A heat of 0 is cold.\n",
            "The heat is a number followed by an optional unit:\n     's' for seconds (the default)\n     'm' for minutes\n   A heat of 0 is cold.\n",
            "One can get the kilns that others have built from\n     <https://kiln.example/pub/a/b_c>\n   or build one.\n",
            "One can get the kilns that others have built from\n\n     <https://kiln.example/pub/a/b_c>\n\n   or build one.\n",
            "When it is run, the kiln makes what is needed, with these:\n\n   − one or more ‘Fire’ files, usually one in each room of\n     the house (*note Fire Rooms::);\n\n   − optionally, an ash file, the name of which is set,\n     containing ‘#heat’ lines (*note Heat::);\n",
        ] {
            let text = node(said);
            assert!(!text.contains("```"), "{text}");
        }
        let text = node(
            "It goes as\n     heat = 900; # hot (see below)\n     fire (heat);\n   So it is.\n",
        );
        assert!(text.contains("```\nheat = 900; # hot"), "{text}");
    }
}
