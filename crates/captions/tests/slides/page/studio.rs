//! Photos, and slides made of them.

use playout_captions::{Compositor, Fit, Look, Patch, Position, Style, Typesetter};

use super::contact::{Sheet, Tile};
use crate::corpus::CAPTIONS;
use crate::files::{CANVAS, Made, PLAIN, jpeg, pixels};
use crate::scenery::Scene;
use crate::scenery::scenes::{CAFE, CITY, DAWN, DUNES, FOREST, LAKE, NORTH};

/// A photo is smaller than a slide, as many are.
const PHOTO: (usize, usize) = (720, 1280);
/// Pixels of a slide, across and down, that become one on a sheet.
const FACTOR: usize = 3;
/// What hard captions lie on, and the pixels around them.
const SLATE: [u32; 3] = [92, 108, 134];
const MARGIN: usize = 24;

/// What a slide shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scenery {
    Dawn,
    Lake,
    Forest,
    North,
    Dunes,
    City,
    Cafe,
}

/// A slide to be made.
pub(super) struct Post {
    pub(super) scenery: Scenery,
    pub(super) caption: &'static str,
    pub(super) look: Look,
}

/// Takes the photos and makes the slides.
pub(super) struct Studio {
    compositor: Compositor,
    typesetter: Typesetter,
    photos: Vec<(Scenery, Vec<u8>)>,
}

impl Studio {
    pub(super) fn new() -> Self {
        use Scenery::{Cafe, City, Dawn, Dunes, Forest, Lake, North};
        let landscapes = [
            (Dawn, DAWN),
            (Lake, LAKE),
            (Forest, FOREST),
            (North, NORTH),
            (Dunes, DUNES),
        ];
        let landscapes = landscapes.map(|(name, scene)| (name, scene.paint(PHOTO, 0.0)));
        let lights = [(City, CITY), (Cafe, CAFE)].map(|(name, lights)| (name, lights.paint(PHOTO)));
        let photos = landscapes.into_iter().chain(lights);
        Self {
            compositor: Compositor::new(),
            typesetter: Typesetter::new(),
            photos: photos.map(|(name, rgb)| (name, photo(&rgb, PHOTO))).collect(),
        }
    }

    pub(super) fn slide(&self, post: &Post) -> Tile {
        let photo = self
            .photos
            .iter()
            .find(|(scenery, _)| *scenery == post.scenery)
            .unwrap();
        self.bake(&photo.1, post.caption, post.look)
    }

    fn bake(&self, photo: &[u8], caption: &str, look: Look) -> Tile {
        let slide = self.compositor.bake(photo, caption, look).unwrap();
        assert_eq!(slide.warnings, [], "{caption}");
        Tile::reduced(CANVAS, &pixels(&slide.jpeg), FACTOR)
    }

    /// The three positions, and what they keep clear of.
    pub(super) fn positions(&self) -> Sheet {
        let caption = "Three days in the desert for 180 €";
        let slide = |position| {
            let look = Look {
                position,
                style: Style::Box,
                ..Look::default()
            };
            self.slide(&Post {
                scenery: Scenery::Dunes,
                caption,
                look,
            })
        };
        let positions = [Position::Top, Position::Middle, Position::Bottom];
        let mut tiles: Vec<Tile> = positions.into_iter().map(slide).collect();
        let caption = "what the app draws over a slide";
        let mut covered = self.slide(&Post {
            scenery: Scenery::Dunes,
            caption,
            look: Look::default(),
        });
        cover_with_interface(&mut covered);
        tiles.push(covered);
        Sheet::new("positions", 4, tiles)
    }

    /// A wide photo cut and whole, and a square one whole.
    pub(super) fn fits(&self) -> Sheet {
        let (wide, square) = ((1440, 1080), (1080, 1080));
        let take = |scene: Scene, size, top| photo(&scene.paint(size, top), size);
        let (lake, north) = (take(LAKE, wide, 0.68), take(NORTH, square, 0.4));
        let look = |fit, position| Look {
            fit,
            position,
            ..Look::default()
        };
        let tiles = vec![
            self.bake(
                &lake,
                "cover: a wide photo fills the slide",
                look(Fit::Cover, Position::Middle),
            ),
            self.bake(
                &lake,
                "contain: the same photo, all of it",
                look(Fit::Contain, Position::Top),
            ),
            self.bake(
                &north,
                "contain: a square one",
                look(Fit::Contain, Position::Bottom),
            ),
        ];
        Sheet::new("fits", 3, tiles)
    }

    /// A caption of the corpus by itself, at half its size.
    pub(super) fn hard(&self, name: &str) -> Tile {
        let (_, caption) = CAPTIONS.iter().find(|(known, _)| *known == name).unwrap();
        let mut patch = Patch::default();
        self.typesetter.paint(
            &self.typesetter.set(caption, Look::default()).unwrap(),
            &mut patch,
        );
        let size = (888, patch.height as usize + 2 * MARGIN);
        let mut rgb = SLATE.map(|part| part as u8).repeat(size.0 * size.1);
        for (index, pixel) in patch.rgba.chunks_exact(4).enumerate() {
            let (x, y) = (index % patch.width as usize, index / patch.width as usize);
            let at = ((y + MARGIN) * size.0 + x + (size.0 - patch.width as usize) / 2) * 3;
            for ((under, part), slate) in rgb[at..at + 3].iter_mut().zip(pixel).zip(SLATE) {
                *under = (u32::from(*part) + (slate * (255 - u32::from(pixel[3])) + 127) / 255) as u8;
            }
        }
        Tile::reduced(size, &rgb, 2)
    }
}

fn photo(rgb: &[u8], size: (usize, usize)) -> Vec<u8> {
    jpeg(rgb, size, Made { quality: 95, ..PLAIN })
}

/// Darkens what lies outside the safe area, and draws there what the app draws, roughly.
fn cover_with_interface(tile: &mut Tile) {
    let buttons = (0..5).map(|number| ((338.0, 262.0 + 48.0 * number as f32), (14.0, 14.0)));
    let words = [
        ((96.0, 512.0), (72.0, 7.0)),
        ((120.0, 536.0), (96.0, 5.0)),
        ((104.0, 554.0), (80.0, 5.0)),
        ((180.0, 13.0), (58.0, 5.0)),
    ];
    let shapes: Vec<_> = buttons.chain(words).collect();
    for (index, pixel) in tile.rgb.chunks_exact_mut(3).enumerate() {
        let (x, y) = (index % tile.width, index / tile.width);
        if (120 / FACTOR..960 / FACTOR).contains(&x) && (80 / FACTOR..1470 / FACTOR).contains(&y) {
            continue;
        }
        let at = (x as f32 + 0.5, y as f32 + 0.5);
        let white = shapes.iter().map(|shape| within(at, *shape)).fold(0.0, f32::max) * 0.85;
        for part in pixel {
            let dark = f32::from(*part) * 0.42;
            *part = (dark + (255.0 - dark) * white) as u8;
        }
    }
}

/// Between 0 and 1: how much of a pixel lies within a bar with round ends, given by its middle and half its sides.
fn within(
    (x, y): (f32, f32),
    ((middle_x, middle_y), (half_width, half_height)): ((f32, f32), (f32, f32)),
) -> f32 {
    let across = ((x - middle_x).abs() - (half_width - half_height)).max(0.0);
    let down = y - middle_y;
    (half_height + 0.5 - (across * across + down * down).sqrt()).clamp(0.0, 1.0)
}
