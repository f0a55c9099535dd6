//! The colours of an emoji: solid or in gradients, and how they are laid over each other.

use read_fonts::model::glyph::color::{Brush, ColorStop, Extend};
use read_fonts::types::Matrix;

use super::path::Point;

/// Red, green, blue and alpha from 0 to 1, premultiplied unless noted otherwise.
pub(super) type Pixel = [f32; 4];

/// A brush, ready to be asked for the colour of a pixel.
pub(super) enum Shade {
    Solid(Pixel),
    Gradient {
        stops: Stops,
        form: Form,
        inverse: Matrix<f32>,
    },
}

/// How far along its colours a gradient is at a place.
pub(super) enum Form {
    Linear {
        from: Point,
        along: Point,
    },
    Radial {
        from: Point,
        along: Point,
        radius: f32,
        growth: f32,
    },
}

impl Shade {
    /// `None` when there is nothing to paint: no colours, or a transform that leaves no area. `palette` is straight.
    pub(super) fn of(brush: &Brush<'_>, transform: Matrix<f32>, palette: &[Pixel]) -> Option<Self> {
        let (form, color_stops, extend) = match brush {
            Brush::Solid { palette_index, alpha } => {
                return Some(Self::Solid(color(palette, *palette_index, *alpha)));
            }
            Brush::LinearGradient {
                p0,
                p1,
                color_stops,
                extend,
            } => {
                let from = Point { x: p0.x, y: p0.y };
                (
                    Form::Linear {
                        from,
                        along: Point {
                            x: p1.x - p0.x,
                            y: p1.y - p0.y,
                        },
                    },
                    color_stops,
                    extend,
                )
            }
            Brush::RadialGradient {
                c0,
                r0,
                c1,
                r1,
                color_stops,
                extend,
            } => {
                let along = Point {
                    x: c1.x - c0.x,
                    y: c1.y - c0.y,
                };
                let from = Point { x: c0.x, y: c0.y };
                (
                    Form::Radial {
                        from,
                        along,
                        radius: *r0,
                        growth: r1 - r0,
                    },
                    color_stops,
                    extend,
                )
            }
            // The font has none; its first colour is the closest to it.
            Brush::SweepGradient { color_stops, .. } => {
                let first = color_stops.first()?;
                return Some(Self::Solid(color(palette, first.palette_index, first.alpha)));
            }
        };
        let stops = Stops::new(color_stops, *extend, palette)?;
        Some(Self::Gradient {
            stops,
            form,
            inverse: inverse(transform)?,
        })
    }

    pub(super) fn at(&self, x: f32, y: f32) -> Pixel {
        match self {
            Self::Solid(pixel) => *pixel,
            Self::Gradient { stops, form, inverse } => {
                let (x, y) = inverse.transform(x, y);
                form.along(Point { x, y }).map_or([0.0; 4], |part| stops.at(part))
            }
        }
    }
}

impl Form {
    fn along(&self, point: Point) -> Option<f32> {
        match self {
            Self::Linear { from, along } => {
                let (x, y) = (point.x - from.x, point.y - from.y);
                let length = along.x * along.x + along.y * along.y;
                (length > 0.0).then(|| (x * along.x + y * along.y) / length)
            }
            Self::Radial {
                from,
                along,
                radius,
                growth,
            } => {
                let (x, y) = (point.x - from.x, point.y - from.y);
                let a = along.x * along.x + along.y * along.y - growth * growth;
                let b = x * along.x + y * along.y + radius * growth;
                let c = x * x + y * y - radius * radius;
                largest(a, b, c)
                    .into_iter()
                    .flatten()
                    .find(|part| radius + part * growth >= 0.0)
            }
        }
    }
}

/// The solutions of `a t² − 2 b t + c = 0`, the largest first.
fn largest(a: f32, b: f32, c: f32) -> [Option<f32>; 2] {
    if a.abs() < 1e-6 {
        return [(b != 0.0).then(|| c / (2.0 * b)), None];
    }
    let root = b * b - a * c;
    if root < 0.0 {
        return [None, None];
    }
    let (one, other) = ((b + root.sqrt()) / a, (b - root.sqrt()) / a);
    [Some(one.max(other)), Some(one.min(other))]
}

/// The colours of a gradient, premultiplied.
pub(super) struct Stops {
    stops: Vec<(f32, Pixel)>,
    extend: Extend,
}

impl Stops {
    fn new(stops: &[ColorStop], extend: Extend, palette: &[Pixel]) -> Option<Self> {
        let stop = |stop: &ColorStop| (stop.offset, color(palette, stop.palette_index, stop.alpha));
        let stops: Vec<(f32, Pixel)> = stops.iter().map(stop).collect();
        (!stops.is_empty()).then_some(Self { stops, extend })
    }

    fn at(&self, part: f32) -> Pixel {
        let part = match self.extend {
            Extend::Repeat => part - part.floor(),
            Extend::Reflect => 1.0 - (part - 2.0 * (part / 2.0).floor() - 1.0).abs(),
            _ => part,
        };
        let after = self.stops.partition_point(|(offset, _)| *offset <= part);
        let last = self.stops.len() - 1;
        let (Some(before), true) = (after.checked_sub(1), after <= last) else {
            return self.stops[after.min(last)].1;
        };
        let ((from, one), (to, other)) = (self.stops[before], self.stops[after]);
        let share = (part - from) / (to - from);
        std::array::from_fn(|index| one[index] + (other[index] - one[index]) * share)
    }
}

/// A colour of the palette; one that it lacks is the text's own (OpenType: index 0xFFFF), which is black here.
fn color(palette: &[Pixel], index: u16, alpha: f32) -> Pixel {
    let [red, green, blue, own] = palette
        .get(usize::from(index))
        .copied()
        .unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let alpha = own * alpha;
    [red * alpha, green * alpha, blue * alpha, alpha]
}

fn inverse(m: Matrix<f32>) -> Option<Matrix<f32>> {
    let scale = 1.0 / (m.xx * m.yy - m.xy * m.yx);
    let (xx, yx, xy, yy) = (m.yy * scale, -m.yx * scale, -m.xy * scale, m.xx * scale);
    let inverse = Matrix {
        xx,
        yx,
        xy,
        yy,
        dx: -(xx * m.dx + xy * m.dy),
        dy: -(yx * m.dx + yy * m.dy),
    };
    scale.is_finite().then_some(inverse)
}

/// One colour laid over another.
pub(super) fn over(above: Pixel, below: Pixel) -> Pixel {
    std::array::from_fn(|index| above[index] + below[index] * (1.0 - above[3]))
}

/// Soft light (W3C Compositing and Blending, section 10.1.9), for premultiplied colours.
pub(super) fn soft_light(above: Pixel, below: Pixel) -> Pixel {
    let (top, bottom) = (above[3], below[3]);
    std::array::from_fn(|index| {
        let (source, backdrop) = (above[index], below[index]);
        if index == 3 || top == 0.0 || bottom == 0.0 {
            return source + backdrop * (1.0 - top);
        }
        let (light, base) = (source / top, backdrop / bottom);
        let curve = if base <= 0.25 {
            ((16.0 * base - 12.0) * base + 4.0) * base
        } else {
            base.sqrt()
        };
        let mixed = if light <= 0.5 {
            base - (1.0 - 2.0 * light) * base * (1.0 - base)
        } else {
            base + (2.0 * light - 1.0) * (curve - base)
        };
        source * (1.0 - bottom) + backdrop * (1.0 - top) + top * bottom * mixed
    })
}

#[cfg(test)]
mod tests {
    use read_fonts::model::glyph::color::{Brush, ColorStop, Extend};
    use read_fonts::types::{Matrix, Point};

    use super::{Shade, over, soft_light};

    const PALETTE: [[f32; 4]; 2] = [[0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]];

    fn stops() -> [ColorStop; 2] {
        [0, 1].map(|index| ColorStop {
            offset: f32::from(index),
            palette_index: index,
            alpha: 1.0,
        })
    }

    #[test]
    fn a_linear_gradient_is_half_way_in_its_middle_and_stays_at_its_ends() {
        let (p0, p1) = (Point::new(0.0, 0.0), Point::new(10.0, 0.0));
        let brush = Brush::LinearGradient {
            p0,
            p1,
            color_stops: &stops(),
            extend: Extend::Pad,
        };
        let shade = Shade::of(&brush, Matrix::IDENTITY, &PALETTE).unwrap();
        assert_eq!(
            [
                shade.at(-3.0, 0.0)[0],
                shade.at(5.0, 9.0)[0],
                shade.at(12.0, 0.0)[0]
            ],
            [0.0, 0.5, 1.0]
        );
    }

    #[test]
    fn a_radial_gradient_grows_with_the_distance() {
        let centre = Point::new(0.0, 0.0);
        let brush = Brush::RadialGradient {
            c0: centre,
            r0: 0.0,
            c1: centre,
            r1: 10.0,
            color_stops: &stops(),
            extend: Extend::Pad,
        };
        let shade = Shade::of(&brush, Matrix::IDENTITY, &PALETTE).unwrap();
        assert_eq!(
            [
                shade.at(0.0, 0.0)[0],
                shade.at(3.0, 4.0)[0],
                shade.at(30.0, 40.0)[0]
            ],
            [0.0, 0.5, 1.0]
        );
    }

    #[test]
    fn soft_light_of_middle_grey_changes_nothing() {
        let grey = [0.5, 0.5, 0.5, 1.0];
        let red = [0.8, 0.2, 0.1, 1.0];
        assert_eq!(
            soft_light(grey, red).map(|part| (part * 1e4).round()),
            red.map(|part| (part * 1e4).round())
        );
        assert_eq!(over([0.0; 4], red), red);
    }
}
