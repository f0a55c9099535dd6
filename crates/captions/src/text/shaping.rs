//! A paragraph as glyphs: shaped once, in ems, so that every size can be tried without shaping again.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use harfrust::{Buffer, BufferFlags, Direction, Script, ShapeOptions, ShapePlan, ShaperFont, shape};
use icu_properties::props::Script as UnicodeScript;
use unicode_bidi::ParagraphBidiInfo;

use super::characters::{is_ignorable, is_meaningless};
use super::fonts::Face;
use super::ink::{Glyph, Ink, ink};
use super::itemise::{Han, Item, itemise, shows};

/// A cluster in the order of the text.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    /// Its glyphs, from left to right.
    pub(super) glyphs: Range<usize>,
    pub(super) face: Face,
    pub(super) advance: f32,
    pub(super) ink: Ink,
    /// Embedding level (UAX 9): odd runs from right to left.
    pub(super) level: u8,
    pub(super) is_space: bool,
    pub(super) is_digit: bool,
    /// Where it begins in the paragraph.
    pub(super) byte: usize,
}

/// A shaped paragraph.
#[derive(Debug, Default)]
pub(super) struct Shaped {
    pub(super) text: String,
    pub(super) glyphs: Vec<Glyph>,
    pub(super) clusters: Vec<Cluster>,
    pub(super) is_korean: bool,
}

type Plans = HashMap<(Face, Script, bool), Arc<ShapePlan>>;

/// Shapes text. How a font treats a script is worked out once and kept.
#[derive(Default)]
pub(super) struct Shaper {
    plans: Mutex<Plans>,
}

impl Shaper {
    /// Shapes one paragraph; characters that no font has are added to `missing`.
    pub(super) fn shape(&self, text: &str, han: Han, missing: &mut Vec<char>) -> Shaped {
        let items = itemise(text, han, missing);
        let bidi = ParagraphBidiInfo::new(text, None);
        let mut shaped = Shaped {
            text: text.to_owned(),
            is_korean: han.is_korean(),
            ..Shaped::default()
        };
        let level = |item: &Item| bidi.levels[item.bytes.start].number();
        let mut from = 0;
        while let Some(first) = items.get(from) {
            let key = (first.face, level(first));
            let own = script_of(&items[from..]);
            let alike = |item: &&Item| {
                (item.face, level(item)) == key
                    && tag(item).is_none_or(|tag| Some(tag) == own || own.is_none())
            };
            let count = items[from..].iter().take_while(alike).count().max(1);
            if let Some(face) = first.face {
                let run = Run {
                    face,
                    script: script_for(face, own),
                    level: key.1,
                    items: &items[from..from + count],
                };
                self.shape_run(&run, &mut shaped);
            }
            from += count;
        }
        shaped
    }

    fn shape_run(&self, run: &Run<'_>, shaped: &mut Shaped) {
        let from_right = run.level % 2 == 1 && run.face != Face::Emoji;
        let font = ShaperFont::new(run.face.font());
        let mut buffer = run.buffer(&shaped.text);
        buffer.set_direction(if from_right {
            Direction::RightToLeft
        } else {
            Direction::LeftToRight
        });
        buffer.set_script(Some(run.script));
        let plan = self.plan(run.face, run.script, from_right);
        if shape(&font, &mut buffer, ShapeOptions::new().plan(Some(&plan))).is_ok() {
            run.collect(&font, &buffer, shaped);
        }
    }

    fn plan(&self, face: Face, script: Script, from_right: bool) -> Arc<ShapePlan> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = plans.entry((face, script, from_right)).or_insert_with(|| {
            let direction = if from_right {
                Direction::RightToLeft
            } else {
                Direction::LeftToRight
            };
            Arc::new(ShapePlan::new(face.font(), direction, Some(script), None, &[]))
        });
        Arc::clone(plan)
    }
}

/// Neighbouring clusters of one font, script and direction.
struct Run<'a> {
    face: Face,
    script: Script,
    level: u8,
    items: &'a [Item],
}

impl Run<'_> {
    /// The run's characters, numbered by cluster; a mark that the font lacks is left out.
    fn buffer(&self, text: &str) -> Buffer {
        let mut buffer = Buffer::new();
        buffer.set_flags(BufferFlags::REMOVE_DEFAULT_IGNORABLES | BufferFlags::DO_NOT_INSERT_DOTTED_CIRCLE);
        for (number, item) in (0..).zip(self.items) {
            let can = |c: &char| is_ignorable(*c) || (shows(self.face, *c) && !is_meaningless(*c));
            for character in text[item.bytes.clone()].chars().filter(can) {
                buffer.push(u32::from(character), number);
            }
        }
        buffer
    }

    /// Adds the run's clusters. Glyphs come from left to right; a ligature belongs to the first of its clusters,
    /// and the others have none.
    fn collect(&self, font: &ShaperFont<'_, '_>, buffer: &Buffer, shaped: &mut Shaped) {
        let base = shaped.clusters.len();
        shaped.clusters.extend(self.items.iter().map(|item| Cluster {
            glyphs: 0..0,
            face: self.face,
            advance: 0.0,
            ink: Ink::NONE,
            level: self.level,
            is_space: shaped.text[item.bytes.clone()].chars().all(char::is_whitespace),
            is_digit: shaped.text[item.bytes.clone()].ends_with(char::is_numeric),
            byte: item.bytes.start,
        }));
        let (unit, raise) = (self.face.unit(), self.face.raise());
        for (info, position) in buffer.glyph_infos().iter().zip(buffer.glyph_positions()) {
            let Some(cluster) = shaped.clusters.get_mut(base + info.cluster as usize) else {
                continue;
            };
            if cluster.glyphs.is_empty() {
                cluster.glyphs = shaped.glyphs.len()..shaped.glyphs.len();
            }
            let x = cluster.advance + position.x_offset as f32 * unit;
            let y = position.y_offset as f32 * unit + raise;
            cluster.advance += position.x_advance as f32 * unit;
            if info.glyph_id != 0 && cluster.glyphs.end == shaped.glyphs.len() {
                cluster.ink = cluster.ink.with(ink(
                    font,
                    self.face,
                    Glyph {
                        id: info.glyph_id,
                        x,
                        y,
                    },
                ));
                shaped.glyphs.push(Glyph {
                    id: info.glyph_id,
                    x,
                    y,
                });
                cluster.glyphs.end = shaped.glyphs.len();
            }
        }
    }
}

/// The script of the first letter that has one of its own.
fn script_of(items: &[Item]) -> Option<Script> {
    let face = items.first()?.face;
    items.iter().take_while(|item| item.face == face).find_map(tag)
}

/// The script of a cluster where a font has several; `None` where it goes with its neighbours.
fn tag(item: &Item) -> Option<Script> {
    match item.script {
        UnicodeScript::Latin => Some(Script::LATIN),
        UnicodeScript::Cyrillic => Some(Script::CYRILLIC),
        UnicodeScript::Greek => Some(Script::GREEK),
        _ => None,
    }
}

fn script_for(face: Face, found: Option<Script>) -> Script {
    face.script().or(found).unwrap_or(Script::LATIN)
}
