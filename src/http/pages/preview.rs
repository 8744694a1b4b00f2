//! Owns the picture that a link to a public skill is shown with: its name and what it is about, drawn in a few milliseconds.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;
use std::sync::LazyLock;

const WIDTH: usize = 1_200;
const HEIGHT: usize = 630;
const MARGIN: f32 = 84.0;
/// Characters that are looked at; more do not fit.
const CHARS_MAX: usize = 400;

/// The colours: paper, ink, soft ink, kiln.
const PAPER: [u8; 3] = [250, 247, 243];
const INK: [u8; 3] = [36, 31, 27];
const SOFT: [u8; 3] = [101, 91, 83];
const KILN: [u8; 3] = [181, 71, 43];

static BOLD: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(dejavu::sans::bold()).ok());
static PLAIN: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(dejavu::sans::regular()).ok());

/// The picture as a PNG.
pub(in crate::http) fn png(name: &str, description: &str) -> Vec<u8> {
    let mut canvas = Canvas::new();
    canvas.fill(0, HEIGHT - 18, WIDTH, HEIGHT, KILN);
    canvas.fill(84, 84, 132, 96, KILN);
    if let (Some(bold), Some(plain)) = (BOLD.as_ref(), PLAIN.as_ref()) {
        let long = name.chars().count() > 40;
        let size = if long { 58.0 } else { 76.0 };
        let mut top = 130.0;
        for line in wrapped(bold, size, name, 3) {
            canvas.write(bold, size, MARGIN, top, &line, INK);
            top += size * 1.16;
        }
        top += 22.0;
        let room = ((HEIGHT as f32 - 130.0 - top) / 50.0) as usize;
        for line in wrapped(plain, 36.0, description, room.min(4)) {
            canvas.write(plain, 36.0, MARGIN, top, &line, SOFT);
            top += 50.0;
        }
        canvas.write(bold, 32.0, MARGIN, 542.0, "skillkiln", KILN);
    }
    canvas.encode()
}

/// Text in lines as wide as the picture; the last one ends in an ellipsis when there is more.
fn wrapped(font: &FontRef<'_>, size: f32, text: &str, lines_max: usize) -> Vec<String> {
    let scaled = font.as_scaled(PxScale::from(size));
    let room = WIDTH as f32 - 2.0 * MARGIN;
    let width = |text: &str| -> f32 {
        text.chars()
            .map(|c| scaled.h_advance(scaled.glyph_id(c)))
            .sum()
    };
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(CHARS_MAX)
        .collect();
    let mut lines: Vec<String> = vec![];
    // A name has no spaces: it may be broken after a hyphen too.
    for word in text.split_inclusive([' ', '-']) {
        let fits = lines
            .last()
            .is_some_and(|line| width(&format!("{line}{}", word.trim_end())) <= room);
        match lines.last_mut() {
            Some(line) if fits => line.push_str(word),
            _ => {
                let mut piece = String::new();
                for c in word.chars() {
                    if width(&piece) > room - size {
                        lines.push(std::mem::take(&mut piece));
                    }
                    piece.push(c);
                }
                lines.push(piece);
            }
        }
    }
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        if let Some(last) = lines.last_mut() {
            while !last.is_empty() && width(&format!("{last}…")) > room {
                last.pop();
            }
            let kept = last.trim_end().trim_end_matches('-').len();
            last.truncate(kept);
            last.push('…');
        }
    }
    lines
}

struct Canvas(Vec<u8>);

impl Canvas {
    fn new() -> Self {
        Self(PAPER.repeat(WIDTH * HEIGHT))
    }

    fn fill(&mut self, left: usize, top: usize, right: usize, bottom: usize, colour: [u8; 3]) {
        for y in top..bottom {
            for x in left..right {
                self.blend(x, y, colour, 1.0);
            }
        }
    }

    fn blend(&mut self, x: usize, y: usize, colour: [u8; 3], cover: f32) {
        if x >= WIDTH || y >= HEIGHT {
            return;
        }
        let at = 3 * (y * WIDTH + x);
        let Some(pixel) = self.0.get_mut(at..at + 3) else {
            return;
        };
        for (old, new) in pixel.iter_mut().zip(colour) {
            let mixed =
                f32::from(*old) + (f32::from(new) - f32::from(*old)) * cover.clamp(0.0, 1.0);
            *old = mixed as u8;
        }
    }

    fn write(
        &mut self,
        font: &FontRef<'_>,
        size: f32,
        left: f32,
        top: f32,
        text: &str,
        colour: [u8; 3],
    ) {
        let scaled = font.as_scaled(PxScale::from(size));
        let baseline = top + scaled.ascent();
        let mut x = left;
        for c in text.chars() {
            let id = scaled.glyph_id(c);
            let glyph = id.with_scale_and_position(PxScale::from(size), point(x, baseline));
            x += scaled.h_advance(id);
            if let Some(outline) = font.outline_glyph(glyph) {
                let bounds = outline.px_bounds();
                let (from_x, from_y) = (bounds.min.x.max(0.0), bounds.min.y.max(0.0));
                outline.draw(|dx, dy, cover| {
                    self.blend(
                        from_x as usize + dx as usize,
                        from_y as usize + dy as usize,
                        colour,
                        cover,
                    );
                });
            }
        }
    }

    /// A PNG: its header, the rows each without a filter, the end.
    fn encode(&self) -> Vec<u8> {
        let mut rows = Vec::with_capacity(self.0.len() + HEIGHT);
        for row in self.0.chunks(3 * WIDTH) {
            rows.push(0);
            rows.extend_from_slice(row);
        }
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
        let packed = packer.write_all(&rows).and_then(|()| packer.finish());
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = vec![];
        header.extend_from_slice(&(WIDTH as u32).to_be_bytes());
        header.extend_from_slice(&(HEIGHT as u32).to_be_bytes());
        // Eight bits a colour, three colours, the only methods there are, no interlacing.
        header.extend_from_slice(&[8, 2, 0, 0, 0]);
        for (kind, data) in [
            (b"IHDR", header),
            (b"IDAT", packed.unwrap_or_default()),
            (b"IEND", vec![]),
        ] {
            let mut checked = kind.to_vec();
            checked.extend_from_slice(&data);
            png.extend_from_slice(&u32::try_from(data.len()).unwrap_or(0).to_be_bytes());
            png.extend_from_slice(&checked);
            png.extend_from_slice(&crc32fast::hash(&checked).to_be_bytes());
        }
        png
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_a_png_of_the_size_that_previews_want_whatever_it_says() {
        for (name, description) in [
            ("fire-a-small-kiln", "Loads, fires and cools a small kiln."),
            ("", ""),
            ("\u{202e}\0\n☃漢字", "\t\r\n"),
            (&"x".repeat(10_000), &"word ".repeat(10_000)),
        ] {
            let png = png(name, description);
            assert!(
                png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() < 200_000,
                "{}",
                png.len()
            );
            assert_eq!(&png[16..24], &[0, 0, 4, 176, 0, 0, 2, 118]);
        }
    }
}
