//! What a slide costs, measured by an example of `playout-captions` in its own process.

use super::row::{Limit, Row};
use super::slides_example::example;
use super::slides_peers;
use super::world::World;
use crate::failure::{Failure, Outcome};
use crate::machine::said;

/// Kinds of pictures, and how often F each may cost: F is libjpeg-turbo's decoding and encoding of the same picture.
const LIMITS: [(&str, Limit); 12] = [
    ("block-copying", Limit::AtMost(0.9)),
    ("block-copying, emoji", Limit::AtMost(1.5)),
    // Why copying blocks costs so little: what is left of it without a caption, what libjpeg-turbo's own lossless copy costs, and
    // whether F would be less if it kept its memory as we do.
    ("block-copying, no caption", Limit::None),
    ("coefficients copied by libjpeg-turbo", Limit::None),
    ("decoded and encoded with memory kept", Limit::None),
    ("straight", Limit::AtMost(1.3)),
    ("straight, emoji", Limit::AtMost(1.5)),
    // Its colours are converted to sRGB.
    ("straight, Display P3", Limit::None),
    // Full tables have no code for what a caption needs and the picture did not: such a picture is encoded anew.
    ("block-copying, optimal Huffman tables", Limit::None),
    ("WebP", Limit::AtMost(1.2)),
    ("12 megapixels, turned", Limit::AtMost(1.1)),
    ("12 megapixels, F of a slide", Limit::None),
];

/// The CPU time of one slide of each kind, and of others' slides beside ours.
///
/// # Errors
/// When the example does not compile or run, or leaves a kind out.
pub fn slides(_world: &World) -> Outcome<Vec<Row>> {
    let lines = said(&mut example(&["measure"]))?;
    lines
        .lines()
        .filter(|line| line.starts_with('#'))
        .for_each(|line| println!("{line}"));
    let own = LIMITS.iter().map(|(what, limit)| row(&lines, what, *limit));
    let mut rows = own.collect::<Outcome<Vec<_>>>()?;
    rows.extend(slides_peers::compared()?);
    Ok(rows)
}

fn row(lines: &str, what: &str, limit: Limit) -> Outcome<Row> {
    let found = lines.lines().find_map(|line| figures(line, what));
    let [ratio, cost, yardstick] = found.ok_or_else(|| Failure::new(format!("no figures of {what}")))?;
    let row = Row::new(format!("slide, {what}"), ratio, limit, "F");
    Ok(row.remark(format!("{cost:.1} ms, F {yardstick:.1} ms")))
}

/// The ratio, its cost and its yardstick, if a line is of that kind.
fn figures(line: &str, what: &str) -> Option<[f64; 3]> {
    let mut columns = line.split('\t');
    (columns.next() == Some(what)).then_some(())?;
    let figures: Vec<f64> = columns.map_while(|column| column.parse().ok()).collect();
    figures.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_made_of_the_line_of_its_kind() {
        let lines = "# 24 pictures\nstraight, other\t9\t9\t9\nstraight\t1.1\t16\t14.5\n";
        let made = row(lines, "straight", Limit::AtMost(1.3)).unwrap();
        let expected = Row::new("slide, straight", 1.1, Limit::AtMost(1.3), "F");
        assert_eq!(made, expected.remark("16.0 ms, F 14.5 ms"));
        assert!(row(lines, "WebP", Limit::None).is_err());
    }
}
