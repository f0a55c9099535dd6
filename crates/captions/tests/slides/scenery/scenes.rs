//! The scenes themselves.

use super::noise::Colour;
use super::{Lights, Ridge, Scene, Sun};

const EMPTY: Scene = Scene {
    seed: 0,
    sky: [[0.0; 3]; 3],
    sun: None,
    clouds: None,
    is_polar_night: false,
    ridges: &[],
    trees: None,
    mist: 0.0,
    water: None,
};

/// A ridge on one line, its fields in their order.
const fn ridge(base: f32, height: f32, hills: f32, crest: Colour, foot: Colour) -> Ridge {
    Ridge {
        base,
        height,
        hills,
        crest,
        foot,
    }
}

/// Mountains in the first light, one behind the other.
pub(crate) const DAWN: Scene = Scene {
    seed: 3,
    sky: [[62.0, 84.0, 150.0], [214.0, 140.0, 160.0], [255.0, 214.0, 160.0]],
    sun: Some(Sun {
        at: (0.66, 0.86),
        radius: 0.045,
        colour: [255.0, 214.0, 150.0],
        glow: 0.22,
    }),
    clouds: Some((0.5, [255.0, 196.0, 180.0])),
    ridges: &[
        ridge(1.02, 0.10, 2.2, [188.0, 142.0, 170.0], [226.0, 176.0, 176.0]),
        ridge(1.14, 0.13, 2.0, [146.0, 110.0, 156.0], [206.0, 158.0, 170.0]),
        ridge(1.27, 0.15, 1.7, [100.0, 80.0, 134.0], [168.0, 128.0, 158.0]),
        ridge(1.42, 0.16, 1.5, [58.0, 50.0, 98.0], [112.0, 88.0, 130.0]),
        ridge(1.62, 0.15, 1.6, [28.0, 26.0, 58.0], [44.0, 38.0, 74.0]),
    ],
    ..EMPTY
};

/// A lake when the sun goes down.
pub(crate) const LAKE: Scene = Scene {
    seed: 8,
    sky: [[38.0, 52.0, 104.0], [190.0, 110.0, 130.0], [255.0, 190.0, 120.0]],
    sun: Some(Sun {
        at: (0.36, 0.93),
        radius: 0.05,
        colour: [255.0, 190.0, 110.0],
        glow: 0.2,
    }),
    clouds: Some((0.52, [255.0, 150.0, 120.0])),
    ridges: &[
        ridge(0.98, 0.12, 2.0, [120.0, 88.0, 130.0], [176.0, 120.0, 132.0]),
        ridge(1.08, 0.10, 2.6, [62.0, 50.0, 92.0], [92.0, 66.0, 98.0]),
    ],
    trees: Some((1, 0.02)),
    water: Some((1.16, [34.0, 40.0, 82.0])),
    ..EMPTY
};

/// Firs in the morning mist.
pub(crate) const FOREST: Scene = Scene {
    seed: 21,
    sky: [
        [188.0, 208.0, 210.0],
        [216.0, 226.0, 216.0],
        [232.0, 236.0, 222.0],
    ],
    sun: Some(Sun {
        at: (0.5, 0.5),
        radius: -0.01,
        colour: [255.0, 250.0, 225.0],
        glow: 0.35,
    }),
    ridges: &[
        ridge(0.72, 0.10, 1.8, [172.0, 192.0, 190.0], [214.0, 224.0, 216.0]),
        ridge(0.92, 0.12, 1.7, [128.0, 156.0, 150.0], [200.0, 214.0, 206.0]),
        ridge(1.14, 0.12, 1.5, [80.0, 114.0, 106.0], [170.0, 190.0, 180.0]),
        ridge(1.36, 0.12, 1.4, [42.0, 74.0, 66.0], [110.0, 140.0, 128.0]),
        ridge(1.66, 0.10, 1.3, [16.0, 36.0, 34.0], [30.0, 54.0, 48.0]),
    ],
    trees: Some((0, 0.022)),
    mist: 0.5,
    ..EMPTY
};

/// Northern lights over snow.
pub(crate) const NORTH: Scene = Scene {
    seed: 14,
    sky: [[6.0, 12.0, 38.0], [14.0, 30.0, 66.0], [30.0, 64.0, 90.0]],
    is_polar_night: true,
    ridges: &[
        ridge(1.08, 0.14, 2.4, [46.0, 74.0, 100.0], [90.0, 120.0, 140.0]),
        ridge(1.24, 0.13, 1.6, [150.0, 170.0, 192.0], [110.0, 136.0, 166.0]),
        ridge(1.50, 0.06, 1.0, [196.0, 210.0, 224.0], [140.0, 162.0, 188.0]),
    ],
    ..EMPTY
};

/// Sand as far as one sees.
pub(crate) const DUNES: Scene = Scene {
    seed: 33,
    sky: [[92.0, 150.0, 210.0], [170.0, 200.0, 220.0], [250.0, 226.0, 190.0]],
    sun: Some(Sun {
        at: (0.8, 0.5),
        radius: 0.04,
        colour: [255.0, 240.0, 200.0],
        glow: 0.2,
    }),
    ridges: &[
        ridge(1.00, 0.07, 1.6, [228.0, 180.0, 130.0], [190.0, 126.0, 82.0]),
        ridge(1.13, 0.12, 1.2, [238.0, 176.0, 112.0], [150.0, 88.0, 56.0]),
        ridge(1.32, 0.14, 1.0, [224.0, 148.0, 84.0], [112.0, 58.0, 40.0]),
        ridge(1.56, 0.13, 0.9, [196.0, 112.0, 62.0], [84.0, 42.0, 32.0]),
    ],
    ..EMPTY
};

/// A street at night.
pub(crate) const CITY: Lights = Lights {
    seed: 9,
    room: [[14.0, 16.0, 40.0], [34.0, 26.0, 58.0], [60.0, 34.0, 50.0]],
    colours: &[
        [255.0, 180.0, 90.0],
        [255.0, 120.0, 80.0],
        [255.0, 220.0, 160.0],
        [90.0, 150.0, 255.0],
        [255.0, 90.0, 120.0],
    ],
    count: 80,
    reach: (0.1, 1.7),
};

/// A café in the evening.
pub(crate) const CAFE: Lights = Lights {
    seed: 61,
    room: [[104.0, 70.0, 50.0], [74.0, 47.0, 36.0], [42.0, 27.0, 22.0]],
    colours: &[[255.0, 200.0, 130.0], [255.0, 170.0, 90.0], [255.0, 230.0, 190.0]],
    count: 56,
    reach: (0.0, 1.3),
};
