//! Owns the question whether a place of a skill quotes the source that the skill was made of.
//!
//! A generated skill arranges its source: under headings of ours it chooses, elsewhere (in its references, and in the body when
//! a short source is the body) it holds whole sections to the letter. A `TODO`, a home path or a sentence that the source says
//! twice is the source's own there, and a check that asked for its removal would ask for a falsified quotation. So the checks on
//! what an author left behind (V057, V070, V071, V072, V074, V093, V094) look only at what is not quoted. What protects the reader of a skill
//! (V080 to V085) and what belongs to a page's frame (V095) is reported wherever it stands. Nor do checks of wording look at what points
//! at files: it is made of names, and claims nothing (`links.rs`).

use crate::scaffold::{EXAMPLES, HEADINGS, OPTIONS};
use crate::validate::evidence::Evidence;
use crate::validate::front_matter::{Field, Value};
use crate::validate::package::SKILL_FILE;
use crate::validate::page::{Page, Prose};
use crate::validate::subject::Subject;
use std::borrow::Cow;

/// The entry of `metadata` by which a generated skill names the source it quotes.
const DIGEST: &str = "source_digest";

/// Whether a field names a source by its digest: `sha256:` and 64 hexadecimal digits.
fn is_digest(field: &Field) -> bool {
    field.key == DIGEST
        && field
            .value
            .as_text()
            .and_then(|digest| digest.strip_prefix("sha256:"))
            .is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

impl Subject<'_> {
    /// Whether the skill says that it was made of a source.
    pub(super) fn is_generated(&self) -> bool {
        self.evidence.is_some()
            || self.front.field("metadata").is_some_and(|field| {
                matches!(&field.value, Value::Mapping(fields) if fields.iter().any(is_digest))
            })
    }

    /// A text without the files of the library that it points at with an arrow.
    pub(super) fn without_files<'s>(&self, text: &'s str) -> Cow<'s, str> {
        let mut out = Cow::Borrowed(text);
        let entries = self.package.entries.iter().filter(|_| text.contains('→'));
        for entry in entries {
            let arrow = format!("→ {}", entry.path);
            if out.contains(&arrow) {
                out = Cow::Owned(out.replace(&arrow, ""));
            }
        }
        out
    }

    /// Whether `words`, on a line of `page`, are the source's own. Without the source at hand, the place alone decides.
    pub(super) fn is_quoted(&self, page: &Page<'_>, line: u32, words: &str) -> bool {
        let says = |evidence: &Evidence| evidence.says(&self.without_files(words));
        self.quotes_at(page, line) && self.evidence.is_none_or(says)
    }

    /// Whether what stands at a position of running text is the source's own: all of the text, or the sentence there. An entry is
    /// told by some of its sentences.
    pub(super) fn quotes(&self, page: &Page<'_>, prose: &Prose<'_>, position: usize) -> bool {
        let line = prose.line_at(position);
        self.is_quoted(page, line, &prose.text)
            || self.is_quoted(page, line, prose.sentence_at(position))
    }

    /// Whether the source says `words`, wherever they stand now; without the source at hand, whether they may be quoted.
    pub(super) fn says(&self, page: &Page<'_>, line: u32, words: &str) -> bool {
        match self.evidence {
            Some(evidence) => evidence.says(words),
            None => self.quotes_at(page, line),
        }
    }

    /// Whether a line of `page` stands where whole sections of the source do.
    pub(super) fn quotes_at(&self, page: &Page<'_>, line: u32) -> bool {
        let is_whole_section = || {
            page.path != SKILL_FILE
                // A short source is the body: there is no other page.
                || self.evidence.is_some() && self.pages.len() == 1
                || page
                    .headings
                    .iter()
                    .take_while(|heading| heading.line <= line)
                    .filter(|heading| heading.level <= 2)
                    .last()
                    .is_none_or(|heading| {
                        let title = heading.text.trim();
                        // Options and examples are taken over whole, each with all that is said of it.
                        [OPTIONS, EXAMPLES].contains(&title) || !HEADINGS.contains(&title)
                    })
        };
        self.is_generated() && is_whole_section()
    }
}
