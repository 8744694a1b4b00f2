//! Owns how an address is drawn for a camera: a QR code as one path of SVG, which a page holds without loading anything.

use qrcode::{Color, QrCode};
use std::fmt::Write;

/// Modules of quiet around it, as the standard asks.
const QUIET: usize = 4;

/// A QR code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Qr {
    /// Modules from side to side.
    pub(super) size: usize,
    /// The dark ones, as a path.
    pub(super) path: String,
}

impl Qr {
    /// Draws a text; none when it is too long.
    pub(super) fn of(text: &str) -> Option<Self> {
        let code = QrCode::new(text).ok()?;
        let width = code.width();
        let mut path = String::new();
        for (row, modules) in code.to_colors().chunks(width).enumerate() {
            let mut column = 0;
            for run in modules.chunk_by(|a, b| a == b) {
                if run.first() == Some(&Color::Dark) {
                    let (x, y, length) = (column + QUIET, row + QUIET, run.len());
                    let _ = write!(path, "M{x} {y}h{length}v1h-{length}z");
                }
                column += run.len();
            }
        }
        Some(Self {
            size: width + 2 * QUIET,
            path,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_are_the_squares_that_a_camera_looks_for() {
        let qr =
            Qr::of("otpauth://totp/skillkiln:ann%40example.org?secret=GEZDGNBV").expect("short");
        assert!(qr.path.starts_with("M4 4h7v1h-7z"), "{}", qr.path);
        assert_eq!((qr.size - 2 * QUIET - 17) % 4, 0);
        let right = qr.size - QUIET - 7;
        assert!(qr.path.contains(&format!("M{right} 4h7v1h-7z")));
        assert!(qr.path.contains(&format!("M4 {right}h7v1h-7z")));
        assert_eq!(Qr::of(&"x".repeat(5_000)), None);
    }
}
