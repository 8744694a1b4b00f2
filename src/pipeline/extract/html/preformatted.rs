//! Finds pages that are one piece of preformatted text and prose all the same: manuals and helps that were typed for a terminal
//! and put on the web as they were.

use crate::pipeline::extract::code_like;
use crate::pipeline::extract::html::code;
use dom_query::{NodeId, NodeRef};

/// Lines that are looked at.
const LINES_MAX: usize = 1_000;
/// With fewer lines than this nobody can tell.
const LINES_MIN: usize = 8;

/// The preformatted text that is nearly all of what `content` says, when it is words laid out for reading and not code.
pub(super) fn prose(content: &NodeRef<'_>) -> Option<NodeId> {
    let found = content
        .descendants_it()
        .filter(|node| node.has_name("pre"))
        .max_by_key(NodeRef::normalized_char_count)?;
    let is_all = found.normalized_char_count() * 10 >= content.normalized_char_count() * 8;
    (is_all && code::language(&found).is_none() && is_prose(&code::text(&found)))
        .then_some(found.id)
}

/// Whether most lines read as words. Code with long comments has fewer of them.
fn is_prose(text: &str) -> bool {
    let (mut lines, mut prose) = (0, 0);
    for line in text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .take(LINES_MAX)
    {
        lines += 1;
        let letters = line
            .chars()
            .filter(|c| c.is_alphabetic() || *c == ' ')
            .count();
        let reads = line.split_whitespace().take(4).count() == 4
            && letters * 10 >= line.trim_end().chars().count() * 8;
        prose += usize::from(reads && !code_like::line(line));
    }
    lines >= LINES_MIN && prose * 2 >= lines
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::html::read;
    use crate::pipeline::markdown::write;

    #[test]
    fn a_manual_that_is_one_preformatted_text_is_read_as_text_and_code_stays_code() {
        let page = "<html><head><title>Manual</title></head><body><pre>\nKILN(8)                             KILN(8)\n\n<b>NAME</b>\n       kiln - fire clay until it is hard\n\n<b>DESCRIPTION</b>\n       The <a href='kiln.html'>kiln</a> fires clay until it is as hard as a stone\n       and keeps the heat for a day, which is what good clay needs.\n       It must not be opened before that day is over and the clay is cold.\n\n       Wood that is dry burns hot, and wood that is wet makes only smoke.\n       Nobody has ever fired a kiln well with wood of the same year.\n\n<b>EXAMPLE</b>\n       Heat it and look:\n\n           $ kiln --heat 1200\n           $ kiln --look\n</pre></body></html>";
        assert_eq!(
            write(&read(page, None).unwrap().blocks),
            "# kiln(8)\n\n## NAME\n\nkiln - fire clay until it is hard\n\n## DESCRIPTION\n\nThe kiln fires clay until it is as hard as a stone and keeps the heat for a day, which is what good clay needs. It must not be opened before that day is over and the clay is cold.\n\nWood that is dry burns hot, and wood that is wet makes only smoke. Nobody has ever fired a kiln well with wood of the same year.\n\n## EXAMPLE\n\nHeat it and look:\n\n```\n$ kiln --heat 1200\n$ kiln --look\n```\n"
        );
        let code = "fn heat(kiln: &mut Kiln) {\n    // The kiln must be closed before it is heated.\n    kiln.close();\n    kiln.heat = 1_200;\n}\n".repeat(6);
        let page = format!("<html><body><pre>{code}</pre></body></html>");
        let written = write(&read(&page, None).unwrap().blocks);
        assert_eq!(written, format!("```\n{}\n```\n", code.trim_end()));
    }
}
