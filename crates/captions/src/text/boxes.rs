//! The white boxes behind lines, merged into one shape as the provider draws them.

use super::path::{Path, Point};
use crate::WIDTH;

/// The box of one line, centred on the slide, in pixels; a blank line has no width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bar {
    /// Half its width.
    pub(super) half: f32,
    /// The height of its middle on the slide.
    pub(super) middle: f32,
}

/// How round the corners are, as a part of a box's height.
const ROUND: f32 = 0.22;

/// The outline of all boxes; those of lines that follow each other without a blank line are one shape.
pub(super) fn outline(bars: &[Bar], height: f32) -> Path {
    let mut path = Path::default();
    for group in bars
        .split(|bar| bar.half == 0.0)
        .filter(|group| !group.is_empty())
    {
        let steps = steps(group, height);
        let radius = height * ROUND;
        let right = corners(&steps, 1.0);
        let left = corners(&steps, -1.0);
        let around: Vec<Point> = right.into_iter().chain(left.into_iter().rev()).collect();
        rounded(&around, radius, &mut path);
    }
    path
}

/// Half widths with the heights from and to which they reach, from the top to the bottom.
fn steps(bars: &[Bar], height: f32) -> Vec<(f32, f32, f32)> {
    let halves = level(bars, height * ROUND * 2.0);
    let mut steps: Vec<(f32, f32, f32)> = Vec::new();
    for (index, (bar, half)) in bars.iter().zip(halves).enumerate() {
        let top = match index.checked_sub(1) {
            None => bar.middle - height / 2.0,
            Some(before) => border(
                bars[before],
                *bar,
                height,
                steps.last().is_some_and(|last| last.0 > half),
            ),
        };
        match steps.last_mut() {
            Some(last) if last.0 == half => last.2 = bar.middle + height / 2.0,
            last => {
                if let Some(last) = last {
                    last.2 = top;
                }
                steps.push((half, top, bar.middle + height / 2.0));
            }
        }
    }
    steps
}

/// Where the box of one line gives way to the next: the wider one is shown whole.
fn border(above: Bar, below: Bar, height: f32, above_is_wider: bool) -> f32 {
    if above_is_wider {
        above.middle + height / 2.0
    } else {
        below.middle - height / 2.0
    }
}

/// Neighbours whose widths differ too little for two round corners are made equally wide.
fn level(bars: &[Bar], least: f32) -> Vec<f32> {
    let mut halves: Vec<f32> = bars.iter().map(|bar| bar.half).collect();
    for _ in 0..halves.len() {
        let mut changed = false;
        for index in 1..halves.len() {
            let (one, other) = (halves[index - 1], halves[index]);
            if one != other && (one - other).abs() < least {
                let wide = one.max(other);
                (halves[index - 1], halves[index]) = (wide, wide);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    halves
}

fn corners(steps: &[(f32, f32, f32)], side: f32) -> Vec<Point> {
    let middle = WIDTH as f32 / 2.0;
    let corner = |(half, top, bottom): &(f32, f32, f32)| {
        [*top, *bottom].map(|y| Point {
            x: middle + side * half,
            y,
        })
    };
    steps.iter().flat_map(corner).collect()
}

/// Adds a closed polygon of upright and level edges with every corner rounded, as far as its edges are long enough.
fn rounded(corners: &[Point], radius: f32, path: &mut Path) {
    let count = corners.len();
    for index in 0..count {
        let (before, corner, after) = (
            corners[(index + count - 1) % count],
            corners[index],
            corners[(index + 1) % count],
        );
        let reach = radius
            .min(corner.distance(before) / 2.0)
            .min(corner.distance(after) / 2.0);
        let (from, to) = (corner.towards(before, reach), corner.towards(after, reach));
        if index == 0 {
            path.move_to(from);
        } else {
            path.line_to(from);
        }
        // The cubic that comes closest to a quarter of a circle.
        let pull = reach * 0.552_285;
        path.cubic_to(from.towards(corner, pull), to.towards(corner, pull), to);
    }
    path.close();
}

#[cfg(test)]
mod tests {
    use super::{Bar, level, outline, steps};

    fn bar(half: f32, middle: f32) -> Bar {
        Bar { half, middle }
    }

    #[test]
    fn lines_of_nearly_the_same_width_get_one_box() {
        assert_eq!(
            level(&[bar(100.0, 0.0), bar(105.0, 80.0), bar(200.0, 160.0)], 20.0),
            [105.0, 105.0, 200.0]
        );
    }

    #[test]
    fn where_two_boxes_meet_the_wider_one_is_whole() {
        let found = steps(&[bar(300.0, 40.0), bar(100.0, 120.0)], 100.0);
        assert_eq!(found, [(300.0, -10.0, 90.0), (100.0, 90.0, 170.0)]);
    }

    #[test]
    fn a_blank_line_parts_the_boxes() {
        let path = outline(&[bar(100.0, 0.0), bar(0.0, 90.0), bar(100.0, 180.0)], 100.0);
        assert_eq!(path.contours().count(), 2);
    }
}
