//! Reads the running text of manual pages that are written in mdoc, where macros call macros on the same line.

use super::escapes::{Font, Strings, Writer};
use crate::words::{Pairs, WordList, pairs, words};
use skillkiln_document::text::Inline;

/// Macros that may stand on the line of another.
static CALLABLE: WordList = words!(
    "Ac Ad An Ao Ap Aq Ar At Bc Bo Bq Brc Bro Brq Bsx Bx Cd Cm Dc Do Dq Dv Dx Em En Er Ev Fa Fl Fn Ft Fx Ic In Li Lk Mt Nm No \
     Ns Nx Oc Oo Op Ox Pa Pc Pf Po Pq Qc Ql Qo Qq Sc So Sq Sx Sy Ta Tn Ux Va Vt Xc Xo Xr"
);

/// Systems by their macros.
static SYSTEMS: Pairs =
    pairs!("Fx FreeBSD  Nx NetBSD  Ox OpenBSD  Dx DragonFly  Ux UNIX  At AT&T_UNIX  Bsx BSD/OS");

/// What encloses the rest of the line.
fn enclosure(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "Op" => ("[", "]"),
        "Dq" => ("“", "”"),
        "Sq" => ("‘", "’"),
        "Ql" => ("‘", "’"),
        "Qq" => ("\"", "\""),
        "Pq" => ("(", ")"),
        "Aq" => ("<", ">"),
        "Bq" => ("[", "]"),
        "Brq" => ("{", "}"),
        _ => return None,
    })
}

/// What a line of its own opens or closes.
fn bracket(word: &str) -> Option<(&'static str, bool)> {
    Some(match word {
        "Oo" | "Bo" => ("[", true),
        "Oc" | "Bc" => ("]", false),
        "Po" => ("(", true),
        "Pc" => (")", false),
        "Do" => ("“", true),
        "Dc" => ("”", false),
        "So" => ("‘", true),
        "Sc" => ("’", false),
        "Qo" | "Qc" => ("\"", word == "Qo"),
        "Ao" => ("<", true),
        "Ac" => (">", false),
        "Bro" => ("{", true),
        "Brc" => ("}", false),
        _ => return None,
    })
}

/// Further macros of running text.
static TEXTS: WordList = words!("D1 Dl Ex Rv St Lb Nd Ms Fo Fc Bf Ef Bk Ek Sm Db Hf Tg Os Dd Es");

/// Whether a page in mdoc treats `word` as a macro of running text.
pub(super) fn is_text(word: &str) -> bool {
    CALLABLE.contains(&word) || TEXTS.contains(&word) || word.starts_with('%')
}

/// What a line of mdoc says, and whether the next one goes on without a blank.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Its text.
    pub(super) text: Vec<Inline>,
    /// Whether no blank comes before it.
    pub(super) joins: bool,
    /// Whether no blank comes after it.
    pub(super) joined: bool,
}

/// Reads the words of a line, the macro's name first. `name` is what the page is about.
pub(super) fn read(words: &[String], name: &str, strings: &Strings) -> Said {
    let mut writer = Writer::new(Font::Plain);
    let mut said = Said::default();
    let mut closers: Vec<&'static str> = Vec::new();
    let mut blank = false;
    let mut has_text = false;
    // Punctuation at the end stands outside of what encloses the line.
    let is_end =
        |word: &String| matches!(word.as_str(), "." | "," | ":" | ";" | ")" | "]" | "?" | "!");
    let tail = words.iter().rev().take_while(|word| is_end(word)).count();
    let body = words.len().saturating_sub(tail).max(1);
    let mut font = Font::Plain;
    let mut prefix = "";
    let mut fresh = false;
    let mut separator = "";
    for (at, word) in words.iter().enumerate() {
        if at == body {
            close(&mut writer, &mut closers, name, fresh, prefix);
            fresh = false;
            font = Font::Plain;
        }
        if at == 0 || CALLABLE.contains(&word.as_str()) && at < body {
            if fresh {
                // A macro without arguments of its own.
                alone(&mut writer, prefix, name, &mut blank);
            }
            font = Font::Plain;
            prefix = "";
            fresh = false;
            separator = "";
            if let Some((open, shut)) = enclosure(word) {
                pad(&mut writer, &mut blank);
                writer.plainly(open);
                closers.push(shut);
                blank = false;
                continue;
            }
            if let Some((mark, opens)) = bracket(word) {
                if opens {
                    pad(&mut writer, &mut blank);
                }
                said.joins |= !opens && !has_text;
                writer.plainly(mark);
                blank = !opens;
                said.joined = opens;
                has_text = true;
                continue;
            }
            match word.as_str() {
                "Fl" => {
                    font = Font::Bold;
                    prefix = "-";
                    fresh = true;
                }
                "Nm" => {
                    font = Font::Bold;
                    prefix = "Nm";
                    fresh = true;
                }
                "Ar" => {
                    font = Font::Italic;
                    prefix = "file ...";
                    fresh = true;
                }
                "Cm" | "Ic" | "Sy" | "Cd" | "Fd" => font = Font::Bold,
                "Em" | "Va" | "Vt" | "Fa" | "Ft" => font = Font::Italic,
                "Pa" | "Li" | "Ev" | "Dv" | "Er" | "Fn" | "In" | "Dl" => font = Font::Fixed,
                "Ns" => {
                    blank = false;
                    said.joins |= !has_text;
                    said.joined = true;
                }
                "Ap" => {
                    writer.plainly("'");
                    blank = false;
                }
                "Pf" => separator = "pf",
                "Xr" => separator = "xr",
                "Lk" => separator = "lk",
                "Bx" | "Fx" | "Nx" | "Ox" | "Dx" | "Ux" | "At" | "Bsx" => {
                    pad(&mut writer, &mut blank);
                    let system = SYSTEMS.get(word.as_str()).copied().unwrap_or("BSD");
                    writer.plainly(&system.replace('_', " "));
                    blank = true;
                }
                "Ex" => {
                    writer.plainly("The ");
                    writer.font(Font::Bold);
                    writer.plainly(name);
                    writer.font(Font::Plain);
                    writer.plainly(" utility exits 0 on success, and >0 if an error occurs.");
                    break;
                }
                "Bf" | "Ef" | "Bk" | "Ek" | "Sm" | "Tg" | "Os" | "Dd" | "Rv" => break,
                _ => {}
            }
            has_text = true;
            continue;
        }
        let is_punctuation = is_end(word);
        if is_punctuation {
            if fresh {
                alone(&mut writer, prefix, name, &mut blank);
                fresh = false;
            }
            said.joins |= at == 0;
            writer.font(Font::Plain);
            writer.write(word, strings);
            blank = true;
            said.joined = false;
            continue;
        }
        if separator == "skip" {
            separator = "";
            continue;
        }
        pad(&mut writer, &mut blank);
        if matches!(word.as_str(), "(" | "[" | "|") {
            writer.font(Font::Plain);
            writer.write(word, strings);
            blank = word == "|";
            continue;
        }
        match separator {
            "xr" => {
                writer.font(Font::Bold);
                writer.write(word, strings);
                writer.font(Font::Plain);
                if let Some(section) = words
                    .get(at + 1)
                    .filter(|next| next.as_bytes().first().is_some_and(u8::is_ascii_digit))
                {
                    writer.plainly(&format!("({section})"));
                    separator = "skip";
                } else {
                    separator = "";
                }
                blank = true;
                continue;
            }
            "pf" => {
                writer.write(word, strings);
                separator = "";
                blank = false;
                continue;
            }
            _ => {}
        }
        writer.font(font);
        if prefix == "-" {
            writer.plainly("-");
        }
        fresh = false;
        writer.write(word, strings);
        writer.font(Font::Plain);
        blank = true;
        said.joined = false;
    }
    close(&mut writer, &mut closers, name, fresh, prefix);
    said.joined |= writer.goes_on;
    said.text = writer.finish();
    said
}

fn pad(writer: &mut Writer, blank: &mut bool) {
    if *blank {
        writer.font(Font::Plain);
        writer.plainly(" ");
        *blank = false;
    }
}

/// Writes what a macro without arguments stands for.
fn alone(writer: &mut Writer, prefix: &str, name: &str, blank: &mut bool) {
    pad(writer, blank);
    match prefix {
        "Nm" => {
            writer.font(Font::Bold);
            writer.plainly(name);
        }
        "-" => {
            writer.font(Font::Bold);
            writer.plainly("-");
        }
        other => {
            writer.font(Font::Italic);
            writer.plainly(other);
        }
    }
    writer.font(Font::Plain);
    // `Fl Fl long` is one option.
    *blank = prefix != "-";
}

fn close(
    writer: &mut Writer,
    closers: &mut Vec<&'static str>,
    name: &str,
    fresh: bool,
    prefix: &str,
) {
    if fresh {
        alone(writer, prefix, name, &mut false);
    }
    writer.font(Font::Plain);
    while let Some(closer) = closers.pop() {
        writer.plainly(closer);
    }
}
