//! Which part of a picture fills a canvas, and how large the whole is on it.

use crate::planes::{Plane, Planes};

/// A part of a picture, in its pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Crop {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Crop {
    pub(crate) fn all(picture: &Planes) -> Self {
        Self {
            left: 0.0,
            top: 0.0,
            width: picture.width as f64,
            height: picture.height as f64,
        }
    }

    pub(crate) fn divided(self, across: f64, down: f64) -> Self {
        Self {
            left: self.left / across,
            top: self.top / down,
            width: self.width / across,
            height: self.height / down,
        }
    }

    /// At least one sample, none outside the plane.
    pub(crate) fn within(self, plane: Plane<'_>) -> Self {
        let axis = |start: f64, length: f64, side: usize| {
            let length = length.clamp(1.0, side as f64);
            (start.clamp(0.0, side as f64 - length), length)
        };
        let (left, width) = axis(self.left, self.width, plane.width);
        let (top, height) = axis(self.top, self.height, plane.height);
        Self {
            left,
            top,
            width,
            height,
        }
    }
}

/// The largest part in the middle of a picture that has the shape of the target.
pub(crate) fn cover((width, height): (usize, usize), (across, down): (usize, usize)) -> Crop {
    let (full_width, full_height) = (width as f64, height as f64);
    let is_wide = width * down > height * across;
    let width = if is_wide {
        full_height * across as f64 / down as f64
    } else {
        full_width
    };
    let height = if is_wide {
        full_height
    } else {
        full_width * down as f64 / across as f64
    };
    Crop {
        left: (full_width - width) / 2.0,
        top: (full_height - height) / 2.0,
        width,
        height,
    }
}

/// The largest even size of the shape of a picture within the target; never below two pixels.
pub(crate) fn contained((width, height): (usize, usize), (across, down): (usize, usize)) -> (usize, usize) {
    let even = |side: usize, limit: usize| (side / 2 * 2).clamp(2, limit);
    if width * down > height * across {
        (across, even((height * across + width / 2) / width + 1, down))
    } else {
        (even((width * down + height / 2) / height + 1, across), down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::CANVAS;

    #[test]
    fn the_middle_of_a_picture_covers_the_canvas() {
        let crop = |left, top, width, height| Crop {
            left,
            top,
            width,
            height,
        };
        assert_eq!(cover((1080, 1920), CANVAS), crop(0.0, 0.0, 1080.0, 1920.0));
        assert_eq!(cover((1920, 1920), CANVAS), crop(420.0, 0.0, 1080.0, 1920.0));
        assert_eq!(cover((540, 1920), CANVAS), crop(0.0, 480.0, 540.0, 960.0));
    }

    #[test]
    fn a_contained_picture_keeps_its_shape_and_even_sides() {
        assert_eq!(contained((1080, 1920), CANVAS), (1080, 1920));
        assert_eq!(contained((2000, 1000), CANVAS), (1080, 540));
        assert_eq!(contained((1000, 2000), CANVAS), (960, 1920));
        assert_eq!(contained((65_535, 1), CANVAS), (1080, 2));
        assert_eq!(contained((1, 65_535), CANVAS), (2, 1920));
    }
}
