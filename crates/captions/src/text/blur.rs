//! A soft shadow: three box blurs approximate a Gaussian.

use super::raster::Mask;

/// The mask blurred three times over `radius` pixels to each side; it grows by three radii all around.
pub(super) fn blurred(mask: &Mask, radius: usize) -> Mask {
    let grow = 3 * radius;
    let (width, height) = (mask.width + 2 * grow, mask.height + 2 * grow);
    let mut wide = vec![0_u8; width * height];
    for (row, cover) in mask.rows().enumerate() {
        let from = (row + grow) * width + grow;
        wide[from..from + mask.width].copy_from_slice(cover);
    }
    let mut line = Vec::new();
    for row in wide.chunks_exact_mut(width) {
        for _ in 0..3 {
            smear(row, 1, radius, &mut line);
        }
    }
    for column in 0..width {
        for _ in 0..3 {
            smear(&mut wide[column..], width, radius, &mut line);
        }
    }
    let shift = |edge: i32| edge - grow as i32;
    Mask {
        left: shift(mask.left),
        top: shift(mask.top),
        width,
        height,
        cover: wide,
    }
}

/// Replaces every `stride`th value by the mean of those within `radius` of it.
fn smear(values: &mut [u8], stride: usize, radius: usize, line: &mut Vec<u8>) {
    line.clear();
    line.extend(values.iter().step_by(stride));
    let window = 2 * radius as u32 + 1;
    let mut sum: u32 = line.iter().take(radius).map(|value| u32::from(*value)).sum();
    for (index, value) in values.iter_mut().step_by(stride).enumerate() {
        sum += line.get(index + radius).map_or(0, |value| u32::from(*value));
        *value = ((sum + window / 2) / window) as u8;
        sum -= index
            .checked_sub(radius)
            .map_or(0, |before| u32::from(line[before]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::raster::Mask;
    use super::blurred;

    #[test]
    fn a_blur_spreads_light_evenly_and_loses_none() {
        let dot = Mask {
            left: 0,
            top: 0,
            width: 9,
            height: 9,
            cover: vec![255; 81],
        };
        let soft = blurred(&dot, 2);
        assert_eq!((soft.left, soft.width), (-6, 21));
        let sum: u32 = soft.cover.iter().map(|value| u32::from(*value)).sum();
        assert!(sum.abs_diff(81 * 255) < 600, "{sum}");
        assert_eq!(soft.at(4, -3), soft.at(4, 11));
        assert_eq!(soft.at(-3, 4), soft.at(4, 11));
    }
}
