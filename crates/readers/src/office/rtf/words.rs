//! Puts the words of Rich Text together: runs become paragraphs, cells and rows become tables.

use crate::office::assemble::{Item, Piece, What};
use crate::office::grid::{Grid, cell_text};
use crate::office::role::{Role, role_of_name};
use crate::office::rtf::{For, Rtf};
use crate::office::runs::{self, Run, Words, is_monospaced};
use encoding_rs::Encoding;
use skillkiln_document::text::Inline;

impl Rtf<'_> {
    /// Bytes that wait, as text of their font's code page.
    pub(super) fn flush(&mut self) {
        if self.raw.is_empty() {
            return;
        }
        let raw = std::mem::take(&mut self.raw);
        let encoding = self
            .font_encodings
            .get(&self.state.font)
            .copied()
            .unwrap_or(self.state.encoding);
        let text = encoding.decode_without_bom_handling(&raw).0.into_owned();
        self.words(&text);
    }

    pub(super) fn words(&mut self, text: &str) {
        match self.state.purpose {
            For::Nothing => {}
            For::Text => {
                if self.state.hidden || self.state.deleted {
                    return;
                }
                let run = Run::Words(Words {
                    text: text.to_owned(),
                    bold: self.state.bold,
                    italic: self.state.italic,
                    mono: self.fonts.contains(&self.state.font),
                    is_inline_code: false,
                });
                self.runs.push(run);
            }
            For::Fonts | For::Styles => {
                for piece in text.split_inclusive(';') {
                    self.aside.push_str(piece.trim_end_matches(';'));
                    if piece.ends_with(';') {
                        self.name(self.state.purpose);
                    }
                }
            }
            _ => self.aside.push_str(text),
        }
    }

    /// A name in a table of fonts or styles is complete.
    pub(super) fn name(&mut self, purpose: For) {
        let name = std::mem::take(&mut self.aside);
        if name.trim().is_empty() {
            return;
        }
        if purpose == For::Fonts {
            if is_monospaced(&name) {
                self.fonts.insert(self.state.font);
            }
            return;
        }
        let role = role_of_name(&name.trim().to_lowercase());
        if role != Role::Body {
            self.styles.insert(self.style_at, role);
        }
        self.style_at = 0;
    }

    pub(super) fn push(&mut self, run: Run) {
        if self.state.purpose == For::Text && !self.state.hidden && !self.state.deleted {
            self.runs.push(run);
        }
    }

    pub(super) fn end_paragraph(&mut self) {
        if self.state.purpose != For::Text && !self.stack.is_empty() {
            return;
        }
        self.flush();
        let mut found = std::mem::take(&mut self.runs);
        for field in &mut self.fields {
            field.2 = 0;
        }
        let mark = self.paragraph.mark.take();
        if !self.paragraph.in_table {
            self.end_table();
        }
        let role = self
            .styles
            .get(&self.paragraph.style)
            .copied()
            .unwrap_or(Role::Body);
        if role == Role::Contents {
            return;
        }
        let is_blank = runs::code(&found).trim().is_empty();
        let heading = match (role, self.paragraph.outline) {
            (Role::Title, _) => Some(1),
            (Role::Heading(level), _) => Some(level),
            (_, Some(level @ 0..=8)) => Some(level + 1),
            _ => None,
        };
        // Some writers set the mark as words before a tab.
        let mark = mark.or_else(|| written_mark(&mut found));
        let number = mark.as_deref().and_then(|mark| {
            mark.trim_matches(|c: char| !c.is_ascii_alphanumeric())
                .parse::<u64>()
                .ok()
        });
        let is_item = mark.is_some() || self.paragraph.listed || matches!(role, Role::Item(..));
        let what = match heading {
            Some(level) if !is_blank => What::Heading(level, runs::heading(&found)),
            _ if (role == Role::Code || runs::are_all_code(&found)) && !is_item => {
                let text = runs::code(&found);
                let joins = !text.contains('\n');
                What::Code { text, joins }
            }
            _ if is_blank => return,
            _ if role == Role::Quote => What::Quote(runs::running(&found)),
            _ => What::Paragraph(runs::running(&found)),
        };
        if self.paragraph.in_table {
            self.cell.push((what, is_item));
            return;
        }
        let item = (is_item && heading.is_none()).then_some(Item {
            level: match (self.paragraph.level, self.paragraph.listed) {
                (0, false) => usize::try_from(self.paragraph.indent / 360 - 1)
                    .unwrap_or(0)
                    .min(8),
                (level, _) => level,
            },
            number,
            continues: false,
        });
        self.pieces.push(Piece {
            item,
            ..Piece::new(what)
        });
    }

    pub(super) fn end_cell(&mut self) {
        self.paragraph.in_table = true;
        self.end_paragraph();
        let cell: Vec<Inline> = cell_text(std::mem::take(&mut self.cell));
        self.grid.get_or_insert_with(Grid::default).cell(cell, 1);
    }

    pub(super) fn end_row(&mut self) {
        let is_head = std::mem::take(&mut self.grid_has_head);
        if let Some(grid) = &mut self.grid {
            grid.end_row(is_head);
        }
    }

    pub(super) fn end_table(&mut self) {
        if let Some(grid) = self.grid.take() {
            self.pieces.extend(grid.finish(true).map(Piece::new));
        }
    }
}

/// A bullet or a number with its tab at the start of a paragraph, taken off.
fn written_mark(found: &mut Vec<Run>) -> Option<String> {
    let lead = runs::code(found);
    let (mark, _) = lead.split_once('\t')?;
    let mark = mark.trim();
    let digits = mark.trim_end_matches(['.', ')']);
    let is_mark = matches!(mark, "•" | "-" | "–" | "◦" | "▪" | "·")
        || digits.len() < mark.len()
            && !digits.is_empty()
            && digits.len() < 4
            && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_mark {
        return None;
    }
    // Runs go until the tab is gone.
    let mark = mark.to_owned();
    while !found.is_empty() {
        let first = found.remove(0);
        let Run::Words(words) = first else {
            continue;
        };
        if let Some((_, after)) = words.text.split_once('\t') {
            let text = after.to_owned();
            found.insert(0, Run::Words(Words { text, ..words }));
            break;
        }
    }
    Some(mark)
}

/// The encoding of a code page.
pub(super) fn code_page(number: Option<i32>) -> Option<&'static Encoding> {
    let label = match number? {
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        874 => "windows-874".to_owned(),
        65001 => "utf-8".to_owned(),
        10000 => "macintosh".to_owned(),
        page => format!("windows-{page}"),
    };
    Encoding::for_label(label.as_bytes())
}

/// The encoding of a font's character set.
pub(super) fn charset(number: Option<i32>) -> Option<&'static Encoding> {
    code_page(Some(match number? {
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    }))
}
