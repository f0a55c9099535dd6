//! Lines on the slide: how large, and where.

use std::ops::Range;

use super::area::{SAFE, SLACK};
use super::effects::{OUTLINE, SHADOW};
use super::fonts::Face;
use super::lines::{Lines, Pieces};
use super::row::Row;
use super::shaping::Shaped;
use super::typeset::Typeset;
use crate::look::{Look, Position, Size, Style};

/// The smallest text that is read without effort on a phone, in pixels of the slide.
const SMALLEST: u16 = 36;

/// How far a blank line is from its neighbours, as a part of the usual distance.
const BLANK: f32 = 0.8;

/// Distance from the baseline to the middle of the capitals, in ems.
const MIDDLE: f32 = 0.352;

/// A caption that is shaped but has no size yet; a paragraph without clusters is a blank line.
pub(super) struct Draft {
    pub(super) paragraphs: Vec<(Shaped, Pieces)>,
    /// Distance of two baselines in ems.
    pub(super) pitch: f32,
}

/// Room that a style takes around its letters, in ems: beside a line, above and below the text.
fn padding(style: Style) -> (f32, f32) {
    match style {
        Style::Outline => (OUTLINE, OUTLINE),
        Style::Box => (0.3, 0.16),
        Style::Plain => (SHADOW, SHADOW),
    }
}

/// The first size, in pixels of the slide.
fn wanted(size: Size) -> u16 {
    match size {
        Size::Small => 52,
        Size::Medium => 70,
        Size::Large => 96,
    }
}

impl Draft {
    pub(super) fn new(paragraphs: Vec<(Shaped, Pieces)>) -> Self {
        let faces = paragraphs
            .iter()
            .flat_map(|(shaped, _)| &shaped.clusters)
            .map(|cluster| cluster.face);
        let pitch = faces.map(Face::pitch).fold(1.2, f32::max);
        Self { paragraphs, pitch }
    }

    /// The caption at the largest size that fits; otherwise how many clusters fit at the smallest.
    ///
    /// Down to three quarters of the wanted size a word is rather made smaller than cut.
    pub(super) fn arrange(&self, look: Look) -> Result<Typeset, usize> {
        let first = wanted(look.size);
        let sizes = || (SMALLEST..=first).rev().step_by(2);
        let whole = sizes()
            .take_while(|size| *size * 4 >= first * 3)
            .map(|size| (size, 0));
        let cut = sizes().map(|size| (size, usize::MAX));
        for (size, cuts) in whole.chain(cut) {
            let lines = self.lines(size, look.style);
            if lines.iter().map(|lines| lines.cuts).sum::<usize>() > cuts {
                continue;
            }
            if let Some(typeset) = self.place(&lines, size, look) {
                return Ok(typeset);
            }
        }
        Err(self.fits(look.style))
    }

    fn lines(&self, size: u16, style: Style) -> Vec<Lines> {
        let limit = SAFE.width() / f32::from(size) - 2.0 * padding(style).0;
        self.paragraphs
            .iter()
            .map(|(_, pieces)| pieces.balanced(limit))
            .collect()
    }

    /// Clusters in as many lines as there is room for at the smallest size.
    fn fits(&self, style: Style) -> usize {
        let room = SAFE.height() / f32::from(SMALLEST) / self.pitch;
        let lines = self.lines(SMALLEST, style);
        lines
            .iter()
            .flat_map(|lines| &lines.lines)
            .take(room as usize)
            .map(Range::len)
            .sum()
    }

    /// Everything in its place, or nothing when it is too much for this size.
    fn place(&self, lines: &[Lines], size: u16, look: Look) -> Option<Typeset> {
        let em = f32::from(size);
        let rows: Vec<Row<'_>> = self.rows(lines).collect();
        let half = self.half(&rows, look.style);
        let top = (MIDDLE + half).max(rows.first()?.ink.top + padding(look.style).1);
        let bottom = (half - MIDDLE).max(padding(look.style).1 - rows.last()?.ink.bottom);
        let baselines = self.baselines(&rows, em);
        let height = top * em + baselines.last()? + bottom * em;
        let begin = match look.position {
            Position::Top => SAFE.top + SLACK,
            Position::Middle => ((SAFE.top + SAFE.bottom - height) / 2.0).floor(),
            Position::Bottom => SAFE.bottom - SLACK - height,
        };
        let mut typeset = Typeset {
            size,
            style: look.style,
            box_height: 2.0 * half * em,
            ..Typeset::default()
        };
        let beside = padding(look.style).0;
        for (row, baseline) in rows.iter().zip(&baselines) {
            let baseline = (begin + top * em + baseline).floor();
            row.place(em, baseline, &mut typeset)?;
            typeset.bars.push(row.bar(em, baseline - MIDDLE * em, beside));
        }
        let fits = height <= SAFE.height() && rows.iter().all(|row| row.is_within(em, beside));
        fits.then_some(typeset)
    }

    /// Half the height of a line with its padding, in ems; a box that letters would break out of is made higher,
    /// within measure.
    fn half(&self, rows: &[Row<'_>], style: Style) -> f32 {
        let usual = self.pitch / 2.0 - 0.12 + padding(style).1;
        let reach = |row: &Row<'_>| (row.ink.top - MIDDLE).max(MIDDLE - row.ink.bottom) + 0.06;
        let highest = rows.iter().map(reach).fold(usual, f32::max);
        if style == Style::Box {
            highest.min(usual + 0.4)
        } else {
            usual
        }
    }

    fn rows<'a>(&'a self, lines: &'a [Lines]) -> impl Iterator<Item = Row<'a>> {
        self.paragraphs
            .iter()
            .zip(lines)
            .flat_map(|((shaped, _), lines)| {
                let blank = lines.lines.is_empty().then_some(Row::blank(shaped));
                blank
                    .into_iter()
                    .chain(lines.lines.iter().map(|line| Row::new(shaped, line.clone())))
            })
    }

    /// Baselines in pixels below the first. Lines are equally far apart unless ink would touch ink.
    fn baselines(&self, rows: &[Row<'_>], em: f32) -> Vec<f32> {
        let need = |pair: &[Row<'_>]| (pair[1].ink.top - pair[0].ink.bottom).max(0.0) + 0.1;
        let usual = rows
            .windows(2)
            .map(need)
            .filter(|need| *need < self.pitch * 1.12)
            .fold(self.pitch, f32::max);
        let mut baselines = vec![0.0];
        let mut at = 0.0;
        for pair in rows.windows(2) {
            let is_blank = pair.iter().any(Row::is_blank);
            let least = if is_blank { self.pitch * BLANK } else { usual };
            at += (least.max(need(pair)) * em).ceil();
            baselines.push(at);
        }
        baselines
    }
}
