//! A QR code as data for an inline picture.

use std::fmt::Write;

use qrcode::{Color, EcLevel, QrCode};

/// The quiet zone, in modules (ISO/IEC 18004 §6.3.8).
const QUIET: usize = 4;

/// A QR code with its quiet zone.
pub(super) struct Qr {
    /// Its width and height, in modules.
    pub size: usize,
    /// The dark modules, as the data of an SVG path.
    pub dark_modules: String,
}

/// `text` as a QR code; `None` if it does not fit.
pub(super) fn qr(text: &str) -> Option<Qr> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    Some(Qr {
        size: code.width() + 2 * QUIET,
        dark_modules: dark_modules(&code),
    })
}

/// Each dark module as a square.
fn dark_modules(code: &QrCode) -> String {
    let width = code.width();
    let mut path = String::new();
    for (index, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            let (x, y) = (index % width + QUIET, index / width + QUIET);
            // Writing to a String does not fail.
            let _written = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_corners_are_there_and_the_margin_is_light() {
        let text = "otpauth://totp/Playout:ada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        let Qr { size, dark_modules } = qr(text).unwrap();
        let last = size - QUIET - 1;
        for (x, y) in [(QUIET, QUIET), (last, QUIET), (QUIET, last)] {
            assert!(dark_modules.contains(&format!("M{x} {y}h1v1h-1z")), "{x} {y}");
        }
        for (x, y) in [(QUIET - 1, QUIET), (last + 1, QUIET), (QUIET, QUIET - 1)] {
            assert!(!dark_modules.contains(&format!("M{x} {y}h")), "{x} {y}");
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        assert!(qr(&"x".repeat(8000)).is_none());
    }
}
