//! Polygons to coverage, exactly: how much of each pixel lies inside.
//!
//! Plain floating-point arithmetic in a fixed order, without fused operations, so that every machine gets the same
//! bytes.

use super::path::{Path, Point};

/// How much of each pixel is covered, 255 being all of it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Mask {
    /// Of its first column and row; the origin is the caller's.
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) cover: Vec<u8>,
}

impl Mask {
    /// The inside of a path. What overlaps counts once; a hole is a contour that turns the other way.
    pub(super) fn of(path: &Path) -> Self {
        let Some([left, top, right, bottom]) = path.bounds().filter(is_sane) else {
            return Self::default();
        };
        let (left, top) = (left.floor(), top.floor());
        let (width, height) = (
            (right - left).ceil() as usize + 1,
            (bottom - top).ceil() as usize + 1,
        );
        let mut sum = Sum::new(width, height);
        for contour in path.contours() {
            let moved = |point: &Point| Point {
                x: point.x - left,
                y: point.y - top,
            };
            for (from, to) in contour.iter().zip(contour.iter().cycle().skip(1)) {
                sum.edge(moved(from), moved(to));
            }
        }
        Self {
            left: left as i32,
            top: top as i32,
            width,
            height,
            cover: sum.cover(),
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.cover.chunks_exact(self.width.max(1))
    }

    /// The coverage of one pixel, in the mask's own frame.
    pub(super) fn at(&self, x: i32, y: i32) -> u8 {
        let (column, row) = (x - self.left, y - self.top);
        if column < 0 || row < 0 || column as usize >= self.width || row as usize >= self.height {
            return 0;
        }
        self.cover[row as usize * self.width + column as usize]
    }
}

/// Whether a mask of this size is one that a caption needs.
fn is_sane([left, top, right, bottom]: &[f32; 4]) -> bool {
    let close = |value: &f32| value.abs() < 8192.0;
    [left, top, right, bottom].into_iter().all(close) && (right - left) * (bottom - top) < (4 << 20) as f32
}

/// Signed areas: each cell holds by how much more of its pixel is covered than of the one before it.
struct Sum {
    stride: usize,
    width: usize,
    cells: Vec<f32>,
}

impl Sum {
    fn new(width: usize, height: usize) -> Self {
        let stride = width + 2;
        Self {
            stride,
            width,
            cells: vec![0.0; stride * height],
        }
    }

    fn edge(&mut self, from: Point, to: Point) {
        if from.y == to.y {
            return;
        }
        let (sign, top, bottom) = if from.y < to.y {
            (1.0, from, to)
        } else {
            (-1.0, to, from)
        };
        let slope = (bottom.x - top.x) / (bottom.y - top.y);
        let mut x = top.x;
        for row in top.y as usize..bottom.y.ceil() as usize {
            let high = (row as f32 + 1.0).min(bottom.y) - (row as f32).max(top.y);
            let next = (x + slope * high).clamp(0.0, self.width as f32);
            let cells = &mut self.cells[row * self.stride..(row + 1) * self.stride];
            span(cells, (x.min(next), x.max(next)), high * sign);
            x = next;
        }
    }

    fn cover(&self) -> Vec<u8> {
        let mut cover = Vec::with_capacity(self.width * (self.cells.len() / self.stride));
        for row in self.cells.chunks_exact(self.stride) {
            let mut sum = 0.0_f32;
            cover.extend(row[..self.width].iter().map(|cell| {
                sum += cell;
                (sum.abs().min(1.0) * 255.0 + 0.5) as u8
            }));
        }
        cover
    }
}

/// Adds the part of an edge within one row: it crosses from `left` to `right` and covers `area` of every pixel to
/// the right of it.
fn span(cells: &mut [f32], (left, right): (f32, f32), area: f32) {
    let first = left as usize;
    let last = (right.ceil() as usize).max(first + 1);
    if last == first + 1 {
        let part = (left + right) / 2.0 - first as f32;
        cells[first] += area * (1.0 - part);
        cells[first + 1] += area * part;
        return;
    }
    let steep = 1.0 / (right - left);
    let begin = 1.0 - (left - first as f32);
    let begun = 0.5 * steep * begin * begin;
    let end = right - (last - 1) as f32;
    let rest = 0.5 * steep * end * end;
    cells[first] += area * begun;
    if last == first + 2 {
        cells[first + 1] += area * (1.0 - begun - rest);
    } else {
        let second = steep * (0.5 + begin);
        cells[first + 1] += area * (second - begun);
        for cell in &mut cells[first + 2..last - 1] {
            *cell += area * steep;
        }
        let until = second + (last - first - 3) as f32 * steep;
        cells[last - 1] += area * (1.0 - until - rest);
    }
    cells[last] += area * rest;
}

#[cfg(test)]
mod tests {
    use super::super::path::{Path, Point};
    use super::Mask;

    fn polygon(corners: &[(f32, f32)]) -> Path {
        let mut path = Path::default();
        for (index, (x, y)) in corners.iter().enumerate() {
            let point = Point { x: *x, y: *y };
            if index == 0 {
                path.move_to(point)
            } else {
                path.line_to(point)
            }
        }
        path.close();
        path
    }

    #[test]
    fn half_a_pixel_is_half_covered() {
        let mask = Mask::of(&polygon(&[(0.5, 0.0), (2.0, 0.0), (2.0, 1.5), (0.5, 1.5)]));
        assert_eq!(
            [mask.at(0, 0), mask.at(1, 0), mask.at(1, 1), mask.at(0, 1)],
            [128, 255, 128, 64]
        );
    }

    #[test]
    fn a_slope_covers_as_much_as_its_area() {
        let mask = Mask::of(&polygon(&[(0.0, 0.0), (40.0, 0.0), (0.0, 7.0)]));
        let sum: f64 = mask.cover.iter().map(|cover| f64::from(*cover) / 255.0).sum();
        assert!((sum - 140.0).abs() < 1.0, "{sum}");
    }

    #[test]
    fn the_rim_of_a_square_is_as_wide_everywhere_and_round_at_the_corners() {
        let square = polygon(&[(10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0)]);
        let mask = Mask::of(&square.rimmed(5.0));
        let sum: f64 = mask.cover.iter().map(|cover| f64::from(*cover) / 255.0).sum();
        let area = 400.0 + 4.0 * 20.0 * 5.0 + std::f64::consts::PI * 25.0;
        assert!((sum - area).abs() < 3.0, "{sum} {area}");
        assert_eq!([mask.at(5, 5), mask.at(6, 20), mask.at(20, 34)], [0, 255, 255]);
    }

    #[test]
    fn a_hole_smaller_than_the_rim_is_filled() {
        let mut ring = polygon(&[(0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0)]);
        for (index, (x, y)) in [(17.0, 17.0), (17.0, 23.0), (23.0, 23.0), (23.0, 17.0)]
            .into_iter()
            .enumerate()
        {
            let point = Point { x, y };
            if index == 0 {
                ring.move_to(point)
            } else {
                ring.line_to(point)
            }
        }
        ring.close();
        assert_eq!(Mask::of(&ring).at(20, 20), 0);
        let rim = Mask::of(&ring.rimmed(5.0));
        assert!((0..40).all(|x| (0..40).all(|y| rim.at(x, y) == 255)));
    }
}
