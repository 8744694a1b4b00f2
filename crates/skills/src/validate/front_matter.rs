//! Owns how SKILL.md's header is read: as strictly as the reference validator does, with every fault and its line.

use crate::validate::finding::Finding;
use serde_saphyr::granit_parser::{Event, Parser, ScalarStyle, StructureStyle};
use std::collections::HashSet;

/// Longest header that is parsed; no loader reads more.
const BYTES_MAX: usize = 64 << 10;

/// SKILL.md's header.
#[derive(Debug, Default)]
pub(super) struct FrontMatter {
    /// Whether `---` stands at the very first byte (after a byte-order mark, which is a fault of its own).
    pub(super) is_open: bool,
    /// Whether the file starts with a byte-order mark.
    pub(super) has_mark: bool,
    /// Whether a line `---` ends it.
    pub(super) is_closed: bool,
    /// Where the body starts, in bytes of the file.
    pub(super) body_start: usize,
    /// The fields in order, as far as they could be read.
    pub(super) fields: Vec<Field>,
    /// Whether reading stopped before the end, so that a field which is not there may yet be written.
    pub(super) is_cut: bool,
    /// What is wrong with the YAML.
    pub(super) faults: Vec<Finding>,
    /// Keys that occur again.
    pub(super) repeated: Vec<Finding>,
}

/// One field of a mapping.
#[derive(Debug)]
pub(super) struct Field {
    /// Its key.
    pub(super) key: String,
    /// Its value.
    pub(super) value: Value,
    /// The line of SKILL.md its key stands on.
    pub(super) line: u32,
    /// The last line of its value.
    pub(super) last_line: u32,
}

/// A value of the header.
#[derive(Debug)]
pub(super) enum Value {
    /// Text, and how it is written.
    Scalar(String, ScalarStyle),
    /// Fields of its own.
    Mapping(Vec<Field>),
    /// A list.
    Sequence,
}

impl Value {
    /// The text, when it is text in every YAML reader: quoted, or not readable as a number, a truth value or nothing.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Scalar(text, style) if *style != ScalarStyle::Plain || !is_typed(text) => {
                Some(text)
            }
            _ => None,
        }
    }
}

/// Whether YAML reads a bare word as something other than text.
pub(super) fn is_typed(word: &str) -> bool {
    const WORDS: [&str; 10] = [
        "", "~", "null", "true", "false", "yes", "no", "on", "off", ".nan",
    ];
    let lower = word.to_ascii_lowercase();
    let digits = lower.trim_start_matches(['+', '-']);
    WORDS.contains(&lower.as_str())
        || digits == ".inf"
        || (digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && digits.parse::<f64>().is_ok())
        || digits
            .strip_prefix("0x")
            .is_some_and(|hex| i64::from_str_radix(hex, 16).is_ok())
}

impl FrontMatter {
    /// Reads the header of `source`.
    pub(super) fn read(source: &str) -> Self {
        let text = source.strip_prefix('\u{feff}').unwrap_or(source);
        let skipped = source.len() - text.len();
        let mut front = Self {
            has_mark: skipped > 0,
            body_start: skipped,
            ..Self::default()
        };
        let mut lines = text.split_inclusive('\n');
        let first = lines.next().unwrap_or_default();
        if first.trim_end() != "---" {
            return front;
        }
        front.is_open = true;
        let start = first.len();
        let mut end = start;
        for line in lines {
            if line.trim_end() == "---" {
                front.is_closed = true;
                front.body_start = skipped + end + line.len();
                break;
            }
            end += line.len();
        }
        if front.is_closed {
            front.parse(text.get(start..end).unwrap_or_default());
        }
        front
    }

    /// The field with this key.
    pub(super) fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }

    fn parse(&mut self, yaml: &str) {
        if yaml.len() > BYTES_MAX {
            self.faults.push(Finding::at(
                1,
                format!("the header is longer than {BYTES_MAX} bytes; shorten it"),
            ));
            self.is_cut = true;
            return;
        }
        for (number, line) in (2..).zip(yaml.lines()) {
            if line.contains('\t') {
                self.faults
                    .push(Finding::at(number, "a tab stands here; use spaces"));
            }
            if line.contains("---") {
                self.faults.push(Finding::at(
                    number,
                    "`---` stands here, which some readers take for the header's end; write a dash",
                ));
            }
            if line.chars().any(|c| {
                (c.is_control() && c != '\t' && c != '\r' && c != '\u{85}')
                    || matches!(c, '\u{fffe}' | '\u{ffff}')
            }) {
                self.faults.push(Finding::at(
                    number,
                    "a control character stands here; remove it",
                ));
            }
        }
        let options = serde_saphyr::granit_parser::options! {
            disallow_directives: true,
            flow_nesting_limit: 8,
            block_nesting_limit: 8,
        };
        let mut reader = Reader {
            front: self,
            stack: Vec::new(),
            roots: 0,
        };
        for event in Parser::new_from_str_with_options(yaml, options) {
            match event {
                Ok((event, span)) => {
                    reader.take(event, line_of(span.start.line()), line_of(span.end.line()))
                }
                Err(error) => {
                    let line = line_of(error.marker().line());
                    let why = error.info();
                    reader.fault(line, format!("the header is no valid YAML here ({why}); put the value into double quotes"));
                    reader.front.is_cut = true;
                    break;
                }
            }
        }
        if reader.front.is_cut && !reader.stack.is_empty() {
            let root = reader.stack.swap_remove(0);
            reader.front.fields = root.fields;
        }
    }
}

/// Lines of the header are counted from 1 after the opening `---`.
fn line_of(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX).saturating_add(1)
}

/// Builds the fields from the parser's events.
struct Reader<'f> {
    front: &'f mut FrontMatter,
    stack: Vec<Level>,
    roots: usize,
}

/// A mapping or a list that is still open; a list has no fields.
struct Level {
    is_mapping: bool,
    fields: Vec<Field>,
    keys: HashSet<String>,
    key: Option<(String, u32)>,
}

impl Reader<'_> {
    fn fault(&mut self, line: u32, message: impl Into<String>) {
        self.front.faults.push(Finding::at(line, message));
    }

    fn take(&mut self, event: Event<'_>, line: u32, last_line: u32) {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.decorations(line, anchor, tag.is_some());
                self.scalar(text.into_owned(), style, line, last_line);
            }
            Event::MappingStart(style, anchor, tag) => {
                self.decorations(line, anchor, tag.is_some());
                self.open(true, style, line);
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.decorations(line, anchor, tag.is_some());
                self.open(false, style, line);
            }
            Event::MappingEnd | Event::SequenceEnd => self.close(last_line),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.fault(
                    line,
                    "an alias `*` stands here; write the value out, in double quotes",
                );
                self.scalar(String::new(), ScalarStyle::DoubleQuoted, line, last_line);
            }
            Event::DocumentStart(..) => {
                self.roots += 1;
                if self.roots > 1 {
                    self.fault(line, "a second YAML document starts here; keep one");
                }
            }
            _ => {}
        }
    }

    fn decorations(&mut self, line: u32, anchor: usize, is_tagged: bool) {
        if anchor > 0 {
            self.fault(
                line,
                "an anchor `&` stands here; put the value into double quotes",
            );
        }
        if is_tagged {
            self.fault(
                line,
                "a tag `!` stands here; put the value into double quotes",
            );
        }
    }

    fn open(&mut self, is_mapping: bool, style: StructureStyle, line: u32) {
        if style == StructureStyle::Flow {
            let what = if is_mapping { "{}" } else { "[]" };
            self.fault(line, format!("`{what}` stands here; write one line for each entry, or put the value into double quotes"));
        }
        if self.stack.is_empty() && !is_mapping {
            self.fault(line, "the header is a list; write `key: value` lines");
        }
        self.stack.push(Level {
            is_mapping,
            fields: Vec::new(),
            keys: HashSet::new(),
            key: None,
        });
    }

    fn close(&mut self, last_line: u32) {
        let Some(level) = self.stack.pop() else {
            return;
        };
        if self.stack.is_empty() {
            if level.is_mapping && self.front.fields.is_empty() {
                self.front.fields = level.fields;
            }
            return;
        }
        let value = if level.is_mapping {
            Value::Mapping(level.fields)
        } else {
            Value::Sequence
        };
        self.value(value, last_line);
    }

    fn scalar(&mut self, text: String, style: ScalarStyle, line: u32, last_line: u32) {
        let Some(level) = self.stack.last_mut() else {
            self.fault(line, "the header is plain text; write `key: value` lines");
            return;
        };
        if level.is_mapping && level.key.is_none() {
            if !level.keys.insert(text.clone()) {
                let message = format!("`{text}` is given twice; keep one");
                self.front.repeated.push(Finding::at(line, message));
            }
            level.key = Some((text, line));
        } else {
            if style == ScalarStyle::Plain && (text.contains(": ") || text.ends_with(':')) {
                self.fault(
                    line,
                    "`: ` stands in a value without quotes; put the value into double quotes",
                );
            }
            self.value(Value::Scalar(text, style), last_line);
        }
    }

    fn value(&mut self, value: Value, last_line: u32) {
        let Some(level) = self.stack.last_mut() else {
            return;
        };
        if !level.is_mapping {
            return;
        }
        match level.key.take() {
            Some((key, line)) => level.fields.push(Field {
                key,
                value,
                line,
                last_line,
            }),
            // A list or mapping in the place of a key: kept as a key that no rule knows.
            None => level.key = Some(("?".to_owned(), last_line)),
        }
    }
}
