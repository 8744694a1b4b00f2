//! Reads the runs of a Word paragraph: their fonts, fields, links and notes.

use crate::office::docx::body::drawings::{Extras, chosen, drawing};
use crate::office::docx::body::{Body, DEPTH_MAX, Field};
use crate::office::docx::{formula, styles};
use crate::office::drawn;
use crate::office::opc::address;
use crate::office::runs::{Run, Words};
use crate::xml_tree::Element;
use skillkiln_document::text::Inline;

impl<'d> Body<'d> {
    /// Gathers the runs in `element`.
    pub(super) fn collect(
        &mut self,
        element: Element<'d>,
        is_mono: bool,
        out: &mut Vec<Run>,
        extras: &mut Extras<'d>,
        depth: usize,
    ) {
        if depth > DEPTH_MAX {
            return;
        }
        for child in element.elements() {
            match child.name() {
                "r" => self.run(child, is_mono, out, extras, depth),
                "pPr" | "del" | "moveFrom" | "rPr" | "sdtPr" | "sdtEndPr" | "proofErr" => {}
                "hyperlink" => {
                    let mut inner = Vec::new();
                    self.collect(child, is_mono, &mut inner, extras, depth + 1);
                    let href = child
                        .attribute("r:id")
                        .and_then(|id| self.relationships.get(id))
                        .filter(|found| found.is_external)
                        .and_then(|found| address(&found.target));
                    link(href, inner, out);
                }
                "fldSimple" => {
                    let mut inner = Vec::new();
                    self.collect(child, is_mono, &mut inner, extras, depth + 1);
                    let href = child.attribute("instr").and_then(field_address);
                    link(href, inner, out);
                }
                "oMath" => out.push(Run::Other(Inline::Math(formula::tex(child)))),
                "oMathPara" => extras.formulas.push(formula::tex(child)),
                "AlternateContent" => {
                    if let Some(choice) = chosen(child) {
                        self.collect(choice, is_mono, out, extras, depth + 1);
                    }
                }
                _ => self.collect(child, is_mono, out, extras, depth + 1),
            }
        }
    }

    fn run(
        &mut self,
        run: Element<'d>,
        is_mono: bool,
        out: &mut Vec<Run>,
        extras: &mut Extras<'d>,
        depth: usize,
    ) {
        let format = self.format(run.child("rPr"), is_mono);
        let Some(format) = format else {
            return;
        };
        self.run_content(run, &format, out, extras, depth);
    }

    fn run_content(
        &mut self,
        run: Element<'d>,
        format: &Words,
        out: &mut Vec<Run>,
        extras: &mut Extras<'d>,
        depth: usize,
    ) {
        if depth > DEPTH_MAX {
            return;
        }
        let is_instruction = self
            .fields
            .last()
            .is_some_and(|field| field.result_at.is_none());
        let words = |text: &str, out: &mut Vec<Run>| {
            out.push(Run::Words(Words {
                text: text.to_owned(),
                ..format.clone()
            }));
        };
        for child in run.elements() {
            match child.name() {
                "fldChar" => self.field(child, out),
                "instrText" => {
                    if let Some(field) = self.fields.last_mut() {
                        field.instruction.push_str(&child.text());
                    }
                }
                _ if is_instruction => {}
                "t" => {
                    let text = child.text();
                    let keeps = child.attribute("space") == Some("preserve");
                    words(if keeps { &text } else { text.trim() }, out);
                }
                "tab" | "ptab" => words("\t", out),
                "br" if child
                    .attribute("type")
                    .is_none_or(|kind| kind == "textWrapping") =>
                {
                    out.push(Run::Break);
                }
                "cr" => out.push(Run::Break),
                "noBreakHyphen" => words("-", out),
                "sym" => {
                    if let Some(character) = symbol(child) {
                        words(&character.to_string(), out);
                    }
                }
                "footnoteReference" => self.note("footnote", child, out),
                "endnoteReference" => self.note("endnote", child, out),
                "ruby" => {
                    if let Some(base) = child.child("rubyBase") {
                        self.collect(base, format.mono, out, extras, depth + 1);
                    }
                }
                "drawing" | "pict" | "object" => {
                    let drawn = drawn::taken(child, &mut self.drawn);
                    if drawn.is_empty() {
                        drawing(child, extras);
                    }
                    extras.drawn.extend(drawn);
                }
                "AlternateContent" => {
                    if let Some(choice) = chosen(child) {
                        self.run_content(choice, format, out, extras, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    /// The format of a run; `None` when it is hidden.
    fn format(&self, properties: Option<Element<'d>>, is_mono: bool) -> Option<Words> {
        let mut words = Words {
            mono: is_mono,
            ..Words::default()
        };
        let Some(properties) = properties else {
            return Some(words);
        };
        let style = properties.val(&["rStyle"]);
        let mut hidden = false;
        if let Some(id) = style {
            (words.bold, words.italic, hidden) = self.styles.format(id);
            if self.styles.is_inline_code(id) {
                words.mono = true;
                words.is_inline_code = !is_mono;
            }
        }
        if let Some(mono) = styles::mono_of(properties) {
            words.mono = mono || words.is_inline_code;
        }
        words.bold = styles::switch(properties, "b").unwrap_or(words.bold);
        words.italic = styles::switch(properties, "i").unwrap_or(words.italic);
        hidden = styles::switch(properties, "vanish").unwrap_or(hidden);
        // What is struck out holds no longer.
        hidden |= ["strike", "dstrike"]
            .iter()
            .any(|name| styles::switch(properties, name) == Some(true));
        (!hidden).then_some(words)
    }

    fn field(&mut self, mark: Element<'d>, out: &mut Vec<Run>) {
        match mark.attribute("fldCharType") {
            Some("begin") if self.fields.len() < DEPTH_MAX => self.fields.push(Field {
                instruction: String::new(),
                result_at: None,
            }),
            Some("separate") => {
                if let Some(field) = self.fields.last_mut() {
                    field.result_at = Some(out.len());
                }
            }
            Some("end") => {
                let Some(field) = self.fields.pop() else {
                    return;
                };
                let at = field.result_at.unwrap_or(out.len()).min(out.len());
                if let Some(href) = field_address(&field.instruction) {
                    let inner = out.split_off(at);
                    link(Some(href), inner, out);
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, kind: &'static str, reference: Element<'d>, out: &mut Vec<Run>) {
        let note = reference
            .attribute("id")
            .and_then(|id| self.notes.remove(&(kind, id.to_owned())));
        if let Some(note) = note {
            self.referred.push(note);
            let number = self.referred.len();
            out.push(Run::Other(Inline::Text(format!("[{number}]"))));
        }
    }
}

fn link(href: Option<String>, inner: Vec<Run>, out: &mut Vec<Run>) {
    match href {
        Some(href) => out.push(Run::Link(href, inner)),
        None => out.extend(inner),
    }
}

/// The address in a field's instruction, when it is a link.
fn field_address(instruction: &str) -> Option<String> {
    let rest = instruction.trim().strip_prefix("HYPERLINK")?.trim_start();
    let target = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split_whitespace().next(),
    }?;
    address(target)
}

/// A symbol of a font of symbols, where it has a letter of its own.
fn symbol(element: Element<'_>) -> Option<char> {
    let code = u32::from_str_radix(element.attribute("char")?, 16).ok()?;
    match code {
        0xf0b7 | 0xf0a7 => Some('•'),
        0xf0e0 | 0xf0e8 => Some('→'),
        0xf0fc => Some('✓'),
        0xe000..=0xf8ff => char::from_u32(code & 0xff).filter(char::is_ascii_graphic),
        code => char::from_u32(code),
    }
}
