//! Reads PDF: paragraphs with their pages, headings by the outline where there is one, code by its fonts.
//!
//! Runs only in a child process ([`crate::pipeline::extract::isolation`]): what a stranger's PDF breaks is the child.

pub mod furniture;
pub mod outline;

use crate::domain::document::{About, Block, BlockKind, Document};
use crate::domain::failure::{Failure, Reason};
use crate::domain::reading::Reading;
use crate::domain::text::{Inline, squash, word_count};
use crate::pipeline::extract::builder::{Builder, tidy};
use crate::pipeline::extract::code_like;
use crate::pipeline::extract::markup::markdown;
use crate::pipeline::extract::pdf::furniture::Furniture;
use crate::pipeline::extract::pdf::outline::Outline;
use unpdf::model::{ListInfo, ListStyle};
use unpdf::{Block as Part, Document as Pdf, InlineContent, Paragraph, ParseOptions, TextRun};

/// Reads the PDF `bytes`.
///
/// # Errors
/// A locked, scanned, damaged or empty file, each with what to do about it.
pub(crate) fn read(bytes: &[u8], limits: &Reading) -> Result<Document, Failure> {
    let options = ParseOptions::new()
        .lenient()
        .with_resources(false)
        .sequential()
        .with_pages(unpdf::PageSelection::Range(1..=limits.pdf_pages_max));
    let pdf = unpdf::parse_bytes_with_options(bytes, options).map_err(|error| failure(&error))?;
    let document = Reader::new(&pdf).read();
    if word_count(&document.text) == 0 {
        return Err(Failure::new(
            Reason::Unreadable,
            if pdf.extraction_quality.is_scan_pdf
                || pdf.pages.iter().any(|page| page.image_op_count > 0)
            {
                "this PDF holds pictures of pages, not text; run text recognition (OCR) over it and send the result"
            } else {
                "there is no text in this PDF; send one that holds words"
            },
        ));
    }
    Ok(document)
}

fn failure(error: &unpdf::Error) -> Failure {
    match error {
        unpdf::Error::Encrypted | unpdf::Error::InvalidPassword => Failure::new(
            Reason::Unreadable,
            "this PDF is locked with a password; save a copy without one and send that",
        ),
        _ => Failure::new(
            Reason::Unreadable,
            "this PDF is damaged or cut off; download or export it again and send the new file",
        ),
    }
}

struct Reader<'a> {
    pdf: &'a Pdf,
    builder: Builder,
    blocks: Vec<Block>,
    outline: Outline,
    furniture: Furniture,
    /// Lines of a listing that goes on.
    code: Vec<String>,
    code_start: Option<usize>,
    /// Items of a list that goes on.
    items: Vec<Vec<Block>>,
    list: Option<(Option<u64>, usize)>,
}

impl<'a> Reader<'a> {
    fn new(pdf: &'a Pdf) -> Self {
        Self {
            pdf,
            builder: Builder::default(),
            blocks: Vec::new(),
            outline: Outline::of(pdf),
            furniture: Furniture::of(pdf),
            code: Vec::new(),
            code_start: None,
            items: Vec::new(),
            list: None,
        }
    }

    fn read(mut self) -> Document {
        for page in &self.pdf.pages {
            if self.furniture.is_contents(page) {
                continue;
            }
            self.end_list();
            self.end_code();
            self.builder.at_page(page.number);
            for part in &page.elements {
                match part {
                    Part::Paragraph(paragraph) => self.paragraph(paragraph, page.number),
                    Part::Table(table) => self.table(table),
                    Part::Code { content } => self.listing(content),
                    Part::Raw { content } => {
                        self.paragraph(&Paragraph::with_text(content.as_str()), page.number);
                    }
                    _ => {}
                }
            }
        }
        self.end_list();
        self.end_code();
        let metadata = &self.pdf.metadata;
        let about = About {
            author: metadata
                .author
                .clone()
                .map(|author| squash(&author))
                .filter(|author| !author.is_empty()),
            date: metadata
                .created
                .map(|created| created.format("%Y-%m-%d").to_string()),
            description: metadata
                .subject
                .clone()
                .map(|subject| squash(&subject))
                .filter(|subject| !subject.is_empty()),
            ..About::default()
        };
        let title = metadata
            .title
            .as_deref()
            .map(squash)
            .filter(|title| is_title(title))
            .or_else(|| markdown::first_title(&self.blocks));
        self.builder.finish(title, about, self.blocks)
    }

    fn paragraph(&mut self, paragraph: &Paragraph, page: u32) {
        let words = squash(&paragraph.plain_text());
        // What runs along the pages is a heading once: where it first stands.
        if words.is_empty() || self.furniture.is_repeated(&words) {
            return;
        }
        if let Some(level) = self
            .outline
            .level(&words, page)
            .or(paragraph.style.heading_level)
        {
            let level = match self.outline.is_empty() {
                true => level,
                // With an outline, a heading it does not know stands below all it does know.
                false => self
                    .outline
                    .level(&words, page)
                    .unwrap_or_else(|| self.outline.deepest().saturating_add(1)),
            };
            // Whole sentences that are set large are no headings.
            if words.chars().count() <= 160 {
                self.end_list();
                self.end_code();
                let kind = BlockKind::Heading {
                    level: level.clamp(1, 6),
                    text: vec![Inline::Text(words)],
                };
                let block = self.builder.leaf(kind);
                self.blocks.push(block);
                return;
            }
        }
        if is_listing(paragraph) {
            self.end_list();
            self.code_start.get_or_insert(self.builder.here());
            let lines = lines_of(paragraph);
            self.code.extend(lines);
            return;
        }
        self.end_code();
        let text = tidy(inlines_of(paragraph));
        match &paragraph.style.list_info {
            Some(info) => self.item(text, info),
            None => {
                self.end_list();
                let block = self.builder.leaf(BlockKind::Paragraph(text));
                self.blocks.push(block);
            }
        }
    }

    /// A listing, as printed.
    fn listing(&mut self, content: &str) {
        self.end_list();
        self.code_start.get_or_insert(self.builder.here());
        self.code
            .extend(content.lines().map(|line| line.trim_end().to_owned()));
        self.end_code();
    }

    fn item(&mut self, text: Vec<Inline>, info: &ListInfo) {
        let start = match &info.style {
            ListStyle::Ordered { start, .. } => Some(u64::from(info.item_number.unwrap_or(*start))),
            ListStyle::Unordered { .. } => None,
        };
        let continues =
            matches!(&self.list, Some((first, _)) if first.is_some() == start.is_some());
        if !continues {
            self.end_list();
            self.list = Some((start, self.builder.here()));
        }
        let block = self.builder.leaf(BlockKind::Paragraph(text));
        if info.level > 0
            && let Some(item) = self.items.last_mut()
        {
            let span = block.span.clone();
            match item.last_mut() {
                Some(Block {
                    kind: BlockKind::List { items, .. },
                    span: whole,
                }) => {
                    whole.bytes.end = span.bytes.end;
                    items.push(vec![block]);
                }
                _ => item.push(Block {
                    kind: BlockKind::List {
                        start,
                        items: vec![vec![block]],
                    },
                    span,
                }),
            }
        } else {
            self.items.push(vec![block]);
        }
    }

    fn end_list(&mut self) {
        if let Some((start, here)) = self.list.take() {
            let items = std::mem::take(&mut self.items);
            let block = self.builder.around(here, BlockKind::List { start, items });
            self.blocks.push(block);
        }
    }

    fn end_code(&mut self) {
        if self.code_start.take().is_some() {
            let text = std::mem::take(&mut self.code).join("\n");
            let kind = BlockKind::Code {
                language: None,
                text: text.trim_matches('\n').to_owned(),
            };
            let block = self.builder.leaf(kind);
            self.blocks.push(block);
        }
    }

    fn table(&mut self, table: &unpdf::Table) {
        self.end_list();
        self.end_code();
        let width = table.column_count().min(64);
        let mut rows: Vec<Vec<Vec<Inline>>> = table
            .rows
            .iter()
            .map(|row| {
                let mut cells: Vec<Vec<Inline>> = Vec::new();
                for cell in row.cells.iter().take(width) {
                    let words = squash(&cell.plain_text());
                    cells.push(if words.is_empty() {
                        Vec::new()
                    } else {
                        vec![Inline::Text(words)]
                    });
                    let spread = usize::from(cell.colspan.max(1)) - 1;
                    cells.extend(std::iter::repeat_n(Vec::new(), spread));
                }
                cells.resize(width, Vec::new());
                cells
            })
            .filter(|row| row.iter().any(|cell| !cell.is_empty()))
            .collect();
        if width == 0 || rows.is_empty() {
            return;
        }
        if width == 1 {
            for row in rows {
                let text: Vec<Inline> = row.into_iter().flatten().collect();
                let block = self.builder.leaf(BlockKind::Paragraph(text));
                self.blocks.push(block);
            }
            return;
        }
        let header = if table.header_rows > 0 {
            rows.remove(0)
        } else {
            vec![Vec::new(); width]
        };
        let kind = BlockKind::Table {
            header,
            rows,
            caption: table
                .caption
                .as_deref()
                .map(|caption| vec![Inline::Text(squash(caption))]),
        };
        let block = self.builder.leaf(kind);
        self.blocks.push(block);
    }
}

/// A title in the metadata is believed when a person wrote it: not a file name of the program that made the PDF.
fn is_title(title: &str) -> bool {
    let lower = title.to_lowercase();
    title.chars().filter(|c| c.is_alphabetic()).count() >= 3
        && !lower.starts_with("microsoft word")
        && !lower.starts_with("untitled")
        && ![
            ".doc", ".docx", ".tex", ".dvi", ".indd", ".qxd", ".pdf", ".ps",
        ]
        .iter()
        .any(|ending| lower.ends_with(ending))
}

/// Whether all of a paragraph is set in a typewriter's font.
fn is_listing(paragraph: &Paragraph) -> bool {
    let (mut fixed, mut all) = (0, 0);
    for run in runs(paragraph) {
        let letters = run.text.chars().filter(|c| !c.is_whitespace()).count();
        all += letters;
        if is_fixed(run) {
            fixed += letters;
        }
    }
    if all == 0 {
        return false;
    }
    let words = paragraph.plain_text();
    fixed * 10 >= all * 9
        && (paragraph.content.len() > 1
            || words.contains('\n')
            || code_like::line(&words)
            || fixed == all)
}

fn runs(paragraph: &Paragraph) -> impl Iterator<Item = &TextRun> {
    paragraph.content.iter().filter_map(|piece| match piece {
        InlineContent::Text(run) => Some(run),
        _ => None,
    })
}

fn is_fixed(run: &TextRun) -> bool {
    run.style.font_name.as_deref().is_some_and(|name| {
        let name = name.to_ascii_lowercase();
        [
            "courier",
            "mono",
            "consol",
            "typewriter",
            "cmtt",
            "menlo",
            "inconsolata",
            "fixed",
            "nimbusmon",
            "luximon",
            "sourcecode",
            "firacode",
            "txtt",
            "sftt",
            "ectt",
        ]
        .iter()
        .any(|word| name.contains(word))
    })
}

fn lines_of(paragraph: &Paragraph) -> Vec<String> {
    let mut text = String::new();
    for piece in &paragraph.content {
        match piece {
            InlineContent::Text(run) => text.push_str(&run.text),
            InlineContent::LineBreak => text.push('\n'),
            InlineContent::Link { text: words, .. } => text.push_str(words),
            InlineContent::Image { .. } => {}
        }
    }
    text.lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

fn inlines_of(paragraph: &Paragraph) -> Vec<Inline> {
    let mut out = Vec::new();
    for piece in &paragraph.content {
        match piece {
            InlineContent::Text(run) => {
                let text = run.text.clone();
                let words = text.trim();
                if words.is_empty() {
                    out.push(Inline::Text(text));
                } else if is_fixed(run) {
                    push_marked(&text, Inline::Code(words.to_owned()), &mut out);
                } else if run.style.bold {
                    out.push(Inline::Strong(vec![Inline::Text(text)]));
                } else if run.style.italic {
                    out.push(Inline::Emphasis(vec![Inline::Text(text)]));
                } else {
                    out.push(Inline::Text(text));
                }
            }
            InlineContent::LineBreak => out.push(Inline::Text(" ".to_owned())),
            InlineContent::Link { text, url, .. } => out.push(Inline::Link {
                href: url.clone(),
                text: vec![Inline::Text(text.clone())],
            }),
            InlineContent::Image { .. } => {}
        }
    }
    out
}

/// Code keeps its spaces outside.
fn push_marked(text: &str, marked: Inline, out: &mut Vec<Inline>) {
    if text.starts_with(char::is_whitespace) {
        out.push(Inline::Text(" ".to_owned()));
    }
    out.push(marked);
    if text.ends_with(char::is_whitespace) {
        out.push(Inline::Text(" ".to_owned()));
    }
}
