//! Reads records, as programs write them for programs: lines of the same fields, with one mark between them and not a blank. They
//! keep their breaks.

use super::Line;

/// So many lines are records, and no accident.
const LINES_MIN: usize = 5;
/// What stands between the fields of a record.
const MARKS: [char; 3] = ['|', ';', ','];

/// How many lines from the start are records; all of them up to an empty one, or none.
pub(super) fn length(lines: &[Line<'_>]) -> usize {
    let Some(first) = lines.first() else {
        return 0;
    };
    let Some(mark) = MARKS
        .into_iter()
        .find(|mark| first.words.contains(*mark) && !first.words.ends_with(*mark))
    else {
        return 0;
    };
    let fields = first.words.matches(mark).count();
    let is_record = |line: &&Line<'_>| {
        line.words.matches(mark).count() == fields && !line.words.contains(char::is_whitespace)
    };
    let length = lines.iter().take_while(is_record).count();
    let is_whole = lines.get(length).is_none_or(|next| next.words.is_empty());
    if is_whole && length >= LINES_MIN {
        length
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn records_of_the_same_fields_keep_their_breaks() {
        let records = "about|about.html\nabout.kilns|about.html#kilns\ndoc|doc.html\nheat|doc/heat.html\nwood|doc/wood.html";
        assert_eq!(
            write(&read(format!("{records}\n")).blocks),
            format!("```\n{records}\n```\n")
        );
        let words = "wood,\ncoal,\ngas,\noil\nor\npeat\n";
        assert!(!write(&read(words.to_owned()).blocks).contains("```"));
    }
}
