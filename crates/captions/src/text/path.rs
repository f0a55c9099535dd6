//! Outlines as polygons: curves flattened.

use read_fonts::model::glyph::outline::PathSink;
use read_fonts::types::Matrix;

/// How far a polygon may be from the curve it stands for, in pixels.
pub(super) const TOLERANCE: f32 = 0.06;

/// A place in pixels, or a direction.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f32,
    pub(super) y: f32,
}

impl Point {
    pub(super) fn distance(self, other: Self) -> f32 {
        let (x, y) = (self.x - other.x, self.y - other.y);
        (x * x + y * y).sqrt()
    }

    /// The place `reach` pixels from here on the way to `other`.
    pub(super) fn towards(self, other: Self, reach: f32) -> Self {
        let distance = self.distance(other);
        if distance == 0.0 {
            self
        } else {
            self.mix(other, reach / distance)
        }
    }

    fn mix(self, other: Self, part: f32) -> Self {
        Self {
            x: self.x + (other.x - self.x) * part,
            y: self.y + (other.y - self.y) * part,
        }
    }

    pub(super) fn plus(self, direction: Self, times: f32) -> Self {
        Self {
            x: self.x + direction.x * times,
            y: self.y + direction.y * times,
        }
    }

    pub(super) fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    pub(super) fn cross(self, other: Self) -> f32 {
        self.x * other.y - self.y * other.x
    }
}

/// Closed polygons. Curves become as many edges as it takes to look round.
#[derive(Debug, Default)]
pub(super) struct Path {
    points: Vec<Point>,
    /// Where each finished contour ends.
    ends: Vec<usize>,
}

impl Path {
    pub(super) fn contours(&self) -> impl Iterator<Item = &[Point]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, end)| &self.points[start..*end])
    }

    /// The smallest rectangle around it: left, top, right, bottom.
    pub(super) fn bounds(&self) -> Option<[f32; 4]> {
        let first = self.points.first()?;
        let grow = |[left, top, right, bottom]: [f32; 4], point: &Point| {
            [
                left.min(point.x),
                top.min(point.y),
                right.max(point.x),
                bottom.max(point.y),
            ]
        };
        Some(
            self.points
                .iter()
                .fold([first.x, first.y, first.x, first.y], grow),
        )
    }

    pub(super) fn move_to(&mut self, point: Point) {
        self.close();
        self.points.push(point);
    }

    pub(super) fn line_to(&mut self, point: Point) {
        self.points.push(point);
    }

    pub(super) fn quad_to(&mut self, control: Point, to: Point) {
        let Some(from) = self.points.last().copied() else {
            return;
        };
        let bend = Point {
            x: from.x - 2.0 * control.x + to.x,
            y: from.y - 2.0 * control.y + to.y,
        };
        let count = edges(bend.dot(bend).sqrt() / 4.0);
        for step in 1..=count {
            let part = step as f32 / count as f32;
            self.points
                .push(from.mix(control, part).mix(control.mix(to, part), part));
        }
    }

    pub(super) fn cubic_to(&mut self, first: Point, second: Point, to: Point) {
        let Some(from) = self.points.last().copied() else {
            return;
        };
        let bend = |a: Point, b: Point, c: Point| {
            let bend = Point {
                x: a.x - 2.0 * b.x + c.x,
                y: a.y - 2.0 * b.y + c.y,
            };
            bend.dot(bend)
        };
        let count = edges(bend(from, first, second).max(bend(first, second, to)).sqrt() * 0.75);
        for step in 1..=count {
            let part = step as f32 / count as f32;
            let middle = first.mix(second, part);
            let left = from.mix(first, part).mix(middle, part);
            let right = middle.mix(second.mix(to, part), part);
            self.points.push(left.mix(right, part));
        }
    }

    pub(super) fn close(&mut self) {
        let start = self.ends.last().copied().unwrap_or(0);
        if self.points.len() - start < 3 {
            self.points.truncate(start);
        } else {
            self.ends.push(self.points.len());
        }
    }
}

/// Edges for a curve that strays `bend` pixels from its chord.
fn edges(bend: f32) -> usize {
    let count = (bend / TOLERANCE).sqrt().ceil();
    if count.is_finite() {
        (count as usize).clamp(1, 64)
    } else {
        1
    }
}

/// Takes a glyph's outline into a path, moved and scaled.
pub(super) struct Pen<'a> {
    pub(super) path: &'a mut Path,
    pub(super) matrix: Matrix<f32>,
}

impl Pen<'_> {
    fn point(&self, x: f32, y: f32) -> Point {
        let m = &self.matrix;
        Point {
            x: m.xx * x + m.xy * y + m.dx,
            y: m.yx * x + m.yy * y + m.dy,
        }
    }
}

impl PathSink for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let point = self.point(x, y);
        self.path.move_to(point);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let point = self.point(x, y);
        self.path.line_to(point);
    }

    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        let (control, to) = (self.point(cx0, cy0), self.point(x, y));
        self.path.quad_to(control, to);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        let (first, second, to) = (self.point(cx0, cy0), self.point(cx1, cy1), self.point(x, y));
        self.path.cubic_to(first, second, to);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
