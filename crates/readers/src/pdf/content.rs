//! Reads what a page shows: each glyph with its place, size and face, the straight rules, and how much of it is pictures.
//!
//! The library's own layout gives words and fonts; what tells code from prose and a table from a list is where each glyph
//! stands, so the operators of a page are interpreted here, with the library's decoding of its fonts.

use crate::pdf::bidi::is_leftward;
use crate::pdf::faces::{self, Faces};
use crate::pdf::glyph::{Glyph, Rule};
use std::collections::HashMap;
use std::sync::Arc;
use unpdf::parser::backend::{
    ContentOp, PageId, PaintedXObject, PdfBackend, PdfValue, ResourceScope, get_number_from_value,
};

/// The longest content of a page that is read.
const CONTENT_BYTES_MAX: usize = 24 << 20;
/// The most glyphs of a page that are read.
const GLYPHS_MAX: usize = 200_000;
/// The most rules of a page that are kept.
const RULES_MAX: usize = 20_000;
/// Forms within forms.
const FORM_DEPTH_MAX: usize = 12;
/// Operators of a page, those of its forms included.
const OPERATORS_MAX: usize = 2_000_000;
/// Along so many glyphs at most, a gap of so many sizes behind each parts words.
const PARTED_GLYPHS_MAX: usize = 3;
const PARTED_GAP: f32 = 0.18;
/// The picture of an underscore is so high at most, and so wide, in points.
const DOT_HIGH_MAX: f32 = 1.2;
const DOT_WIDE: std::ops::Range<f32> = 2.0..9.0;
/// Saved graphics states.
const STATES_MAX: usize = 256;

/// What a page shows.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub(crate) glyphs: Vec<Glyph>,
    pub(crate) rules: Vec<Rule>,
    /// The addresses that its links lead to.
    pub(crate) links: Vec<Arc<str>>,
    /// The share of the page that pictures cover, at most 1.
    pub(crate) pictured: f32,
    /// Text that no font table could turn into characters.
    pub(crate) undecoded: usize,
    /// Whether some of it could not be read.
    pub(crate) is_partial: bool,
}

type Matrix = [f32; 6];

const IDENTITY: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// `first`, then `second`.
fn after(first: &Matrix, second: &Matrix) -> Matrix {
    let [a, b, c, d, e, f] = *first;
    let [g, h, i, j, k, l] = *second;
    [
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + l,
    ]
}

fn apply(matrix: &Matrix, x: f32, y: f32) -> (f32, f32) {
    let [a, b, c, d, e, f] = *matrix;
    (a * x + c * y + e, b * x + d * y + f)
}

#[derive(Debug, Clone)]
struct State {
    matrix: Matrix,
    font: Arc<[u8]>,
    face: u16,
    size: f32,
    character_gap: f32,
    word_gap: f32,
    stretch: f32,
    leading: f32,
    rise: f32,
    mode: i64,
}

/// Reads the page `page`.
pub(crate) fn read(backend: &dyn PdfBackend, page: PageId, faces: &mut Faces) -> Shown {
    let view = backend.crop_box(page);
    let annotations = backend.link_annotations(page).annotations;
    let mut areas = Vec::new();
    let mut links = Vec::new();
    for annotation in annotations.into_iter().take(2_000) {
        links.push(annotation.target);
        for area in annotation.areas {
            let xs = area.points.map(|(x, _)| x);
            let ys = area.points.map(|(_, y)| y);
            areas.push(Area {
                left: xs.into_iter().fold(f32::MAX, f32::min),
                right: xs.into_iter().fold(f32::MIN, f32::max),
                bottom: ys.into_iter().fold(f32::MAX, f32::min),
                top: ys.into_iter().fold(f32::MIN, f32::max),
                link: u16::try_from(links.len()).unwrap_or(0),
            });
        }
    }
    let mut painter = Painter {
        backend,
        page,
        faces,
        areas,
        shown: Shown {
            links,
            ..Shown::default()
        },
        fonts: HashMap::new(),
        text: IDENTITY,
        line: IDENTITY,
        path: Vec::new(),
        point: (0.0, 0.0),
        operators: 0,
        view_area: (view.width() * view.height()).max(1.0),
        forms: Vec::new(),
    };
    match backend.page_content_with_losses(page) {
        Ok(content) if content.data.len() <= CONTENT_BYTES_MAX => {
            painter.shown.is_partial |= content.undecodable_streams > 0;
            let state = State {
                matrix: IDENTITY,
                font: Arc::from([].as_slice()),
                face: 0,
                size: 12.0,
                character_gap: 0.0,
                word_gap: 0.0,
                stretch: 1.0,
                leading: 0.0,
                rise: 0.0,
                mode: 0,
            };
            painter.content(&content.data, ResourceScope::page(page), state);
        }
        _ => painter.shown.is_partial = true,
    }
    let mut shown = painter.shown;
    shown.pictured = shown.pictured.min(1.0);
    // What stands outside the page is not on it.
    let slack = 2.0;
    shown.glyphs.retain(|glyph| {
        let (x, y) = turned((glyph.left, glyph.y), (4 - glyph.turn) % 4);
        // A listing's line may run off the paper and is still a line of it.
        let is_cut = faces.get(glyph.face).is_fixed && x < view.urx + view.width();
        x >= view.llx - slack
            && (x <= view.urx + slack || is_cut)
            && y >= view.lly - slack
            && y <= view.ury + slack
    });
    shown
}

/// A point in the frame that is turned by `turn` quarters.
pub(crate) fn turned((x, y): (f32, f32), turn: u8) -> (f32, f32) {
    match turn {
        0 => (x, y),
        1 => (y, -x),
        2 => (-x, -y),
        _ => (-y, x),
    }
}

/// Characters that font tables give for others that look the same, as the others.
fn ordinary(character: char) -> char {
    match character {
        '\u{37e}' => ';',
        '\u{387}' => '·',
        '\u{2126}' => 'Ω',
        '\u{212a}' => 'K',
        '\u{212b}' => 'Å',
        '\u{1fef}' => '`',
        '\u{2215}' => '/',
        other => other,
    }
}

struct Area {
    left: f32,
    right: f32,
    bottom: f32,
    top: f32,
    link: u16,
}

struct Painter<'a> {
    backend: &'a dyn PdfBackend,
    page: PageId,
    faces: &'a mut Faces,
    areas: Vec<Area>,
    shown: Shown,
    /// Faces by the font's name in the page's or a form's resources.
    fonts: HashMap<ResourceScope, HashMap<Vec<u8>, u16>>,
    text: Matrix,
    line: Matrix,
    /// The segments of the path being drawn.
    path: Vec<(f32, f32, f32, f32)>,
    point: (f32, f32),
    operators: usize,
    view_area: f32,
    /// The forms being painted, outermost first.
    forms: Vec<(u32, u16)>,
}

impl Painter<'_> {
    fn content(&mut self, data: &[u8], scope: ResourceScope, state: State) {
        let Ok(operators) = self.backend.decode_content(data) else {
            self.shown.is_partial = true;
            return;
        };
        let mut state = state;
        let mut saved: Vec<State> = Vec::new();
        let mut unsaved = 0usize;
        for operator in &operators {
            self.operators += 1;
            if self.operators > OPERATORS_MAX || self.shown.glyphs.len() > GLYPHS_MAX {
                self.shown.is_partial = true;
                return;
            }
            match operator.operator.as_str() {
                "q" if saved.len() < STATES_MAX => saved.push(state.clone()),
                "q" => unsaved += 1,
                "Q" if unsaved > 0 => unsaved -= 1,
                "Q" => {
                    if let Some(before) = saved.pop() {
                        state = before;
                    }
                }
                "Do" => self.paint(operator, scope, &state),
                "BI" => self.picture(&state),
                _ => self.operator(operator, scope, &mut state),
            }
        }
    }

    fn paint(&mut self, operator: &ContentOp, scope: ResourceScope, state: &State) {
        let Some(PdfValue::Name(name)) = operator.operands.first() else {
            return;
        };
        match self.backend.xobject(scope, name) {
            Some(PaintedXObject::Form(form)) => {
                if self.forms.contains(&form.id) || self.forms.len() >= FORM_DEPTH_MAX {
                    return;
                }
                let Some(content) = form.content.filter(|data| data.len() <= CONTENT_BYTES_MAX)
                else {
                    self.shown.is_partial = true;
                    return;
                };
                let outside = (self.text, self.line);
                let mut inside = state.clone();
                inside.matrix = after(&form.matrix, &state.matrix);
                self.forms.push(form.id);
                self.content(&content, ResourceScope::form(self.page, form.id), inside);
                self.forms.pop();
                (self.text, self.line) = outside;
            }
            Some(PaintedXObject::Image) => self.picture(state),
            _ => {}
        }
    }

    fn picture(&mut self, state: &State) {
        let [a, b, c, d, _, _] = state.matrix;
        self.shown.pictured += (a * d - b * c).abs() / self.view_area;
        // Some programs draw the rule of an underscore as a picture of one dot.
        let (x0, y0) = apply(&state.matrix, 0.0, 0.0);
        let (x1, y1) = apply(&state.matrix, 1.0, 1.0);
        let rule = Rule {
            left: x0.min(x1),
            right: x0.max(x1),
            bottom: y0.min(y1),
            top: y0.max(y1),
        };
        let is_thin = rule.top - rule.bottom <= DOT_HIGH_MAX;
        let is_short = DOT_WIDE.contains(&(rule.right - rule.left));
        if is_thin && is_short && self.shown.rules.len() < RULES_MAX {
            self.shown.rules.push(rule);
        }
    }

    fn operator(&mut self, operator: &ContentOp, scope: ResourceScope, state: &mut State) {
        let number = |index: usize| operator.operands.get(index).and_then(get_number_from_value);
        let numbers = || -> Option<Matrix> {
            Some([
                number(0)?,
                number(1)?,
                number(2)?,
                number(3)?,
                number(4)?,
                number(5)?,
            ])
        };
        match operator.operator.as_str() {
            "cm" => {
                if let Some(matrix) = numbers() {
                    state.matrix = after(&matrix, &state.matrix);
                }
            }
            "BT" => {
                self.text = IDENTITY;
                self.line = IDENTITY;
            }
            "Tf" => {
                if let Some(PdfValue::Name(name)) = operator.operands.first() {
                    state.font = Arc::from(name.as_slice());
                    state.face = self.face(scope, name);
                }
                state.size = number(1).unwrap_or(state.size);
            }
            "Tc" => state.character_gap = number(0).unwrap_or(state.character_gap),
            "Tw" => state.word_gap = number(0).unwrap_or(state.word_gap),
            "Tz" => state.stretch = number(0).map_or(state.stretch, |percent| percent / 100.0),
            "TL" => state.leading = number(0).unwrap_or(state.leading),
            "Ts" => state.rise = number(0).unwrap_or(state.rise),
            "Tr" => state.mode = number(0).map_or(state.mode, |mode| mode as i64),
            "Tm" => {
                if let Some(matrix) = numbers() {
                    self.text = matrix;
                    self.line = matrix;
                }
            }
            "Td" | "TD" => {
                if let (Some(x), Some(y)) = (number(0), number(1)) {
                    if operator.operator == "TD" {
                        state.leading = -y;
                    }
                    self.next_line(x, y);
                }
            }
            "T*" => self.next_line(0.0, -state.leading),
            "Tj" => self.show_operand(operator.operands.first(), scope, state),
            "'" => {
                self.next_line(0.0, -state.leading);
                self.show_operand(operator.operands.first(), scope, state);
            }
            "\"" => {
                state.word_gap = number(0).unwrap_or(state.word_gap);
                state.character_gap = number(1).unwrap_or(state.character_gap);
                self.next_line(0.0, -state.leading);
                self.show_operand(operator.operands.get(2), scope, state);
            }
            "TJ" => {
                if let Some(PdfValue::Array(pieces)) = operator.operands.first() {
                    for piece in pieces {
                        match get_number_from_value(piece) {
                            Some(back) => {
                                self.advance(-back / 1000.0 * state.size * state.stretch);
                            }
                            None => self.show_operand(Some(piece), scope, state),
                        }
                    }
                }
            }
            "m" => self.point = (number(0).unwrap_or(0.0), number(1).unwrap_or(0.0)),
            "l" => {
                let to = (number(0).unwrap_or(0.0), number(1).unwrap_or(0.0));
                self.segment(self.point, to, state);
                self.point = to;
            }
            "re" => {
                if let (Some(x), Some(y), Some(width), Some(height)) =
                    (number(0), number(1), number(2), number(3))
                {
                    self.segment((x, y), (x + width, y + height), state);
                }
            }
            "S" | "s" | "f" | "F" | "f*" | "B" | "B*" | "b" | "b*" => {
                let is_filled = !operator.operator.eq_ignore_ascii_case("s");
                self.draw(is_filled);
            }
            "n" => self.path.clear(),
            _ => {}
        }
    }

    fn next_line(&mut self, x: f32, y: f32) {
        self.line = after(&[1.0, 0.0, 0.0, 1.0, x, y], &self.line);
        self.text = self.line;
    }

    fn advance(&mut self, x: f32) {
        self.text = after(&[1.0, 0.0, 0.0, 1.0, x, 0.0], &self.text);
    }

    fn face(&mut self, scope: ResourceScope, name: &[u8]) -> u16 {
        if !self.fonts.contains_key(&scope) {
            let fonts = self.backend.page_fonts(scope).unwrap_or_default();
            let known = fonts
                .into_iter()
                .map(|font| (font.name.clone(), self.faces.of(&font)))
                .collect();
            self.fonts.insert(scope, known);
        }
        self.fonts
            .get(&scope)
            .and_then(|fonts| fonts.get(name))
            .copied()
            .unwrap_or(0)
    }

    fn show_operand(&mut self, operand: Option<&PdfValue>, scope: ResourceScope, state: &State) {
        if let Some(PdfValue::Str(bytes)) = operand {
            self.show(bytes, scope, state);
        }
    }

    fn show(&mut self, bytes: &[u8], scope: ResourceScope, state: &State) {
        if !self.faces.get(state.face).is_symbols {
            return self.show_run(bytes, scope, state);
        }
        let is_sign = |code: &u8| faces::tex_symbol(*code).is_some();
        for part in bytes.chunk_by(|one, next| !is_sign(one) && !is_sign(next)) {
            let shown = match part {
                [code] => faces::tex_symbol(*code).map(|sign| (*code, sign)),
                _ => None,
            };
            let is_shown =
                shown.is_some_and(|(code, sign)| self.show_code(code, sign, scope, state));
            if !is_shown {
                self.show_run(part, scope, state);
            }
        }
    }

    /// Puts the sign of a code down that the file gives a width and no character; whether it is such a one.
    fn show_code(&mut self, code: u8, sign: char, scope: ResourceScope, state: &State) -> bool {
        let run = self.backend.decode_run(scope, &state.font, &[code]);
        let Some([advance]) = run.glyphs.as_deref() else {
            return false;
        };
        if advance.width <= 0.0 || !run.decoded.text.trim().is_empty() {
            return false;
        }
        let width = (advance.width / 1000.0 * state.size + state.character_gap) * state.stretch;
        self.place_letter(sign, width, state);
        true
    }

    fn show_run(&mut self, bytes: &[u8], scope: ResourceScope, state: &State) {
        let run = self.backend.decode_run(scope, &state.font, bytes);
        if run.decoded.suppressed.is_some() {
            self.shown.undecoded += bytes.len();
        }
        self.shown.undecoded += run.decoded.undecoded_codes as usize;
        let text = run.decoded.text.as_str();
        let Some(advances) = run.glyphs else {
            // Without widths, half an em a character is a guess that keeps words in order.
            for character in text.chars() {
                self.place(character, state.size * 0.5, state);
            }
            return;
        };
        let step = |index: usize| {
            advances.get(index).map_or(0.0, |glyph| {
                let word = if glyph.is_word_space {
                    state.word_gap
                } else {
                    0.0
                };
                (glyph.width / 1000.0 * state.size + state.character_gap + word) * state.stretch
            })
        };
        // Some part words by a gap between few letters; along many it is how they are set.
        let gap = state.character_gap * state.stretch;
        let parts_words =
            advances.len() <= PARTED_GLYPHS_MAX && gap > PARTED_GAP * state.size.abs();
        let behind = if parts_words { gap } else { 0.0 };
        match run.clusters {
            Some(clusters) => {
                let mut at = 0;
                for cluster in clusters {
                    (at..cluster.glyphs.start).for_each(|index| self.advance(step(index)));
                    at = cluster.glyphs.end.max(at);
                    let width = cluster.glyphs.map(step).sum::<f32>() - behind;
                    let text = text.get(cluster.text).unwrap_or("");
                    let count = text.chars().count();
                    if let (1, Some(character)) = (count, text.chars().next()) {
                        let glyph = advances.get(at.wrapping_sub(1));
                        let width = glyph.map_or(0.0, |glyph| glyph.width);
                        self.faces.observe(state.face, character, width);
                    }
                    if count == 0 {
                        self.advance(width);
                    }
                    let mut letters: Vec<char> = text.chars().collect();
                    if letters.first().copied().is_some_and(is_leftward) {
                        letters.reverse();
                    }
                    for character in letters {
                        self.place(character, width / count as f32, state);
                    }
                    self.advance(behind);
                }
                (at..advances.len()).for_each(|index| self.advance(step(index)));
            }
            None => {
                let whole: f32 = (0..advances.len()).map(step).sum();
                let count = text.chars().count();
                if count == advances.len() {
                    for (index, character) in text.chars().enumerate() {
                        let width = advances.get(index).map_or(0.0, |glyph| glyph.width);
                        self.faces.observe(state.face, character, width);
                        self.place(character, step(index), state);
                    }
                } else {
                    for character in text.chars() {
                        self.place(character, whole / count as f32, state);
                    }
                    if count == 0 {
                        self.advance(whole);
                    }
                }
            }
        }
    }

    /// Puts a character down and moves on by `width`; a ligature is the letters it joins.
    fn place(&mut self, character: char, width: f32, state: &State) {
        let letters = match character {
            '\u{fb00}' => "ff",
            '\u{fb01}' => "fi",
            '\u{fb02}' => "fl",
            '\u{fb03}' => "ffi",
            '\u{fb04}' => "ffl",
            '\u{fb05}' | '\u{fb06}' => "st",
            _ => return self.place_letter(character, width, state),
        };
        for letter in letters.chars() {
            self.place_letter(letter, width / letters.len() as f32, state);
        }
    }

    fn place_letter(&mut self, character: char, width: f32, state: &State) {
        let whole = after(&self.text, &state.matrix);
        let [a, b, c, d, _, _] = whole;
        let start = apply(&whole, 0.0, state.rise);
        let end = apply(&whole, width, state.rise);
        self.advance(width);
        let turn = match (a.abs() >= b.abs(), a >= 0.0, b >= 0.0) {
            (true, true, _) => 0,
            (false, _, true) => 1,
            (true, false, _) => 2,
            (false, _, false) => 3,
        };
        let link = self.link(start, end);
        let (left, y) = turned(start, turn);
        let (right, _) = turned(end, turn);
        let size = state.size.abs() * c.hypot(d);
        if !(left.is_finite() && right.is_finite() && y.is_finite() && size.is_finite()) {
            return;
        }
        let sign = self.faces.sign(state.face, character);
        let character = sign.unwrap_or_else(|| ordinary(character));
        self.shown.glyphs.push(Glyph {
            character,
            left: left.min(right),
            right: right.max(left),
            y,
            size: size.max(0.1),
            face: state.face,
            link,
            turn,
            hidden: matches!(state.mode, 3 | 7),
        });
    }

    fn link(&self, start: (f32, f32), end: (f32, f32)) -> u16 {
        let (x, y) = ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0 + 2.0);
        self.areas
            .iter()
            .find(|area| area.left <= x && x <= area.right && area.bottom <= y && y <= area.top)
            .map_or(0, |area| area.link)
    }

    fn segment(&mut self, from: (f32, f32), to: (f32, f32), state: &State) {
        if self.path.len() < 1_000 {
            let (x0, y0) = apply(&state.matrix, from.0, from.1);
            let (x1, y1) = apply(&state.matrix, to.0, to.1);
            self.path
                .push((x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)));
        }
    }

    fn draw(&mut self, is_filled: bool) {
        const THIN: f32 = 2.5;
        for (left, bottom, right, top) in std::mem::take(&mut self.path) {
            if self.shown.rules.len() >= RULES_MAX {
                return;
            }
            let (width, height) = (right - left, top - bottom);
            let rule = |left, bottom, right, top| Rule {
                left,
                right,
                bottom,
                top,
            };
            if width.min(height) <= THIN {
                if width.max(height) > 2.0 {
                    self.shown.rules.push(rule(left, bottom, right, top));
                }
            } else if !is_filled {
                // The four sides of a box that is only outlined.
                self.shown.rules.extend([
                    rule(left, bottom, right, bottom),
                    rule(left, top, right, top),
                    rule(left, bottom, left, top),
                    rule(right, bottom, right, top),
                ]);
            }
        }
    }
}
