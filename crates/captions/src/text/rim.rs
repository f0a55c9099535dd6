//! The rim around letters.

use super::path::{Path, Point, TOLERANCE};

impl Path {
    /// The path with a rim of `radius` pixels around it, round at its outer corners.
    ///
    /// Each edge is moved outwards; where two part, an arc joins them, and where they cross, the path runs through
    /// the corner itself. So every point of the rim is wound around at least once in the path's own direction, and
    /// none is wound around backwards.
    pub(super) fn rimmed(&self, radius: f32) -> Self {
        let area: f32 = self.contours().map(area).sum();
        let side = if area < 0.0 { -1.0 } else { 1.0 };
        let mut rim = Self::default();
        for contour in self.contours() {
            let rounded = Contour::new(contour, side, radius);
            rounded.draw(&mut rim);
            rim.close();
        }
        rim
    }
}

/// One contour on its way to a rim.
struct Contour {
    points: Vec<Point>,
    /// Of the edge that begins at the point with the same number, as long as the radius.
    outwards: Vec<Point>,
    side: f32,
    radius: f32,
}

impl Contour {
    fn new(contour: &[Point], side: f32, radius: f32) -> Self {
        let mut points: Vec<Point> = contour.to_vec();
        points.dedup_by(|a, b| a.distance(*b) < 0.01);
        while points.len() > 1 && points[0].distance(points[points.len() - 1]) < 0.01 {
            points.pop();
        }
        let next = points.iter().cycle().skip(1);
        let outwards = points.iter().zip(next).map(|(from, to)| {
            let scale = side * radius / from.distance(*to);
            Point {
                x: (to.y - from.y) * scale,
                y: (from.x - to.x) * scale,
            }
        });
        Self {
            outwards: outwards.collect(),
            points,
            side,
            radius,
        }
    }

    fn draw(&self, rim: &mut Path) {
        let count = self.points.len();
        if count < 3 {
            return;
        }
        for index in 0..count {
            let corner = self.points[index];
            let (before, after) = (self.outwards[(index + count - 1) % count], self.outwards[index]);
            rim.line_to(corner.plus(before, 1.0));
            let turn = before.cross(after) * self.side;
            if before.dot(after) > 0.97 * self.radius * self.radius {
                // Nearly straight on: the next point is close enough.
            } else if turn > 0.0 {
                self.arc(corner, before, after, rim);
            } else {
                rim.line_to(corner);
            }
            rim.line_to(corner.plus(after, 1.0));
        }
    }

    /// Points between two directions, halved until the chord is as good as the arc.
    fn arc(&self, corner: Point, from: Point, to: Point, rim: &mut Path) {
        let middle = from.plus(to, 1.0);
        let length = middle.dot(middle).sqrt();
        if length < 0.01 * self.radius || self.radius - length / 2.0 < TOLERANCE {
            return;
        }
        let middle = Point::default().plus(middle, self.radius / length);
        self.arc(corner, from, middle, rim);
        rim.line_to(corner.plus(middle, 1.0));
        self.arc(corner, middle, to, rim);
    }
}

fn area(contour: &[Point]) -> f32 {
    contour
        .iter()
        .zip(contour.iter().cycle().skip(1))
        .map(|(from, to)| from.cross(*to))
        .sum()
}
