//! A QR code as an inline picture.

use std::fmt::Write;

use qrcode::{Color, EcLevel, QrCode};

/// The quiet zone, in modules (ISO/IEC 18004 §6.3.8).
const QUIET: usize = 4;

/// `text` as an SVG, dark on light on any page; empty if it does not fit.
pub(super) fn svg(text: &str) -> String {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else {
        return String::new();
    };
    let size = code.width() + 2 * QUIET;
    format!(
        "<svg class=\"qr\" role=\"img\" aria-label=\"The secret as a QR code\" viewBox=\"0 0 {size} {size}\" \
         shape-rendering=\"crispEdges\"><rect width=\"{size}\" height=\"{size}\" fill=\"#fff\"/>\
         <path fill=\"#000\" d=\"{}\"/></svg>",
        dark_modules(&code)
    )
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
        let svg = svg("otpauth://totp/Playout:ada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        let size: usize = svg
            .split("viewBox=\"0 0 ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next()?.parse().ok())
            .unwrap();
        let last = size - QUIET - 1;
        for (x, y) in [(QUIET, QUIET), (last, QUIET), (QUIET, last)] {
            assert!(svg.contains(&format!("M{x} {y}h1v1h-1z")), "{x} {y}");
        }
        for (x, y) in [(QUIET - 1, QUIET), (last + 1, QUIET), (QUIET, QUIET - 1)] {
            assert!(!svg.contains(&format!("M{x} {y}h")), "{x} {y}");
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        assert_eq!(svg(&"x".repeat(8000)), "");
    }
}
