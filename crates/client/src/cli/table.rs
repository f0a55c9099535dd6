//! Tables that fit the terminal: long columns are cut or wrapped between words, and if that is not enough, the least important ones are
//! left out.

use unicode_width::UnicodeWidthStr;

use super::text::{brief, width, wrap};

const GAP: usize = 2;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) name: &'static str,
    fit: Fit,
    /// Columns of a lower rank are left out first.
    rank: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// Shown as it is, or not at all.
    Whole,
    /// Cut to no fewer columns of the terminal than these. Cells without colours.
    Cut(usize),
    /// Wrapped to no fewer. Cells without colours.
    Wrap(usize),
}

impl Column {
    /// A column that is shown whole.
    pub(super) const fn whole(name: &'static str, rank: u8) -> Self {
        let fit = Fit::Whole;
        Self { name, fit, rank }
    }

    /// A column that may be cut.
    pub(super) const fn cut(name: &'static str, least: usize, rank: u8) -> Self {
        let fit = Fit::Cut(least);
        Self { name, fit, rank }
    }

    /// A column that may have several lines.
    pub(super) const fn wrap(name: &'static str, least: usize, rank: u8) -> Self {
        let fit = Fit::Wrap(least);
        Self { name, fit, rank }
    }

    fn least(&self, natural: usize) -> usize {
        match self.fit {
            Fit::Whole => natural,
            Fit::Cut(least) | Fit::Wrap(least) => natural.min(least.max(self.name.width())),
        }
    }
}

/// A table as it is laid out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The positions of the columns that are shown, and how wide each is.
    pub(super) shown: Vec<(usize, usize)>,
    /// The names of those that are left out.
    pub(super) left_out: Vec<&'static str>,
}

/// Lays out a table in so many columns of the terminal; without a terminal as wide as it is.
pub(super) fn lay_out(columns: &[Column], rows: &[Vec<String>], room: Option<usize>) -> Layout {
    let natural = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| width(cell));
        cells.max().unwrap_or(0).max(columns[at].name.width())
    };
    let natural: Vec<usize> = (0..columns.len()).map(natural).collect();
    let room = room.unwrap_or(usize::MAX);
    let mut by_rank: Vec<usize> = (0..columns.len()).collect();
    by_rank.sort_by_key(|at| (std::cmp::Reverse(columns[*at].rank), *at));
    let mut widths: Vec<Option<usize>> = vec![None; columns.len()];
    let mut used = 0_usize;
    for at in by_rank {
        let least = columns[at].least(natural[at]);
        let gap = if used == 0 { 0 } else { GAP };
        if used == 0 || used.saturating_add(gap + least) <= room {
            widths[at] = Some(least);
            used += gap + least;
        }
    }
    widen(&mut widths, &natural, room.saturating_sub(used));
    let shown = widths.iter().enumerate();
    let left_out = columns.iter().zip(&widths).filter(|(_, width)| width.is_none());
    Layout {
        shown: shown.filter_map(|(at, width)| Some((at, (*width)?))).collect(),
        left_out: left_out.map(|(column, _)| column.name).collect(),
    }
}

/// Gives the rest of the room to the columns that lack least, so that as many as possible are whole.
fn widen(widths: &mut [Option<usize>], natural: &[usize], mut left: usize) {
    let lacks = |at: usize, width: usize| natural[at].saturating_sub(width);
    let mut lacking: Vec<usize> = (0..widths.len())
        .filter(|at| widths[*at].is_some_and(|width| lacks(*at, width) > 0))
        .collect();
    lacking.sort_by_key(|at| widths[*at].map(|width| lacks(*at, width)));
    for at in lacking {
        if let Some(width) = &mut widths[at] {
            let more = lacks(at, *width).min(left);
            *width += more;
            left -= more;
        }
    }
}

/// The lines of a row.
pub(super) fn lines(columns: &[Column], row: &[String], layout: &Layout) -> Vec<String> {
    let cells = layout.shown.iter().map(|(at, width)| {
        let cell = row.get(*at).map_or("", String::as_str);
        match columns[*at].fit {
            Fit::Whole => vec![cell.to_owned()],
            Fit::Cut(_) => vec![brief(cell, *width)],
            Fit::Wrap(_) => wrap(cell, *width),
        }
    });
    let cells: Vec<Vec<String>> = cells.collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |number: usize| {
        let parts = cells.iter().zip(&layout.shown).map(|(cell, (_, widest))| {
            let part = cell.get(number).map_or("", String::as_str);
            format!("{part}{}", " ".repeat(widest.saturating_sub(width(part))))
        });
        let parts: Vec<String> = parts.collect();
        parts.join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 4] = [
        Column::whole("TIME", 2),
        Column::whole("STATE", 3),
        Column::cut("CAPTION", 8, 1),
        Column::whole("ID", 4),
    ];

    fn row() -> Vec<String> {
        ["12:00", "QUEUE", "The wind is up and so are we", "0196f3a0-7c1e"]
            .map(str::to_owned)
            .to_vec()
    }

    fn shown(room: usize) -> (Vec<String>, Vec<&'static str>) {
        let layout = lay_out(&COLUMNS, &[row()], Some(room));
        (lines(&COLUMNS, &row(), &layout), layout.left_out)
    }

    #[test]
    fn what_fits_is_shown_whole() {
        let whole = "12:00  QUEUE  The wind is up and so are we  0196f3a0-7c1e".to_owned();
        assert_eq!(shown(whole.len()), (vec![whole], vec![]));
    }

    #[test]
    fn a_long_column_is_cut_before_another_is_left_out() {
        let cut = "12:00  QUEUE  The wind is…  0196f3a0-7c1e".to_owned();
        assert_eq!(shown(41), (vec![cut], vec![]));
        let (lines, left_out) = shown(30);
        assert_eq!(
            (lines[0].as_str(), left_out),
            ("12:00  QUEUE  0196f3a0-7c1e", vec!["CAPTION"])
        );
        let (lines, left_out) = shown(25);
        assert_eq!(
            (lines[0].as_str(), left_out),
            ("QUEUE  0196f3a0-7c1e", vec!["TIME", "CAPTION"])
        );
    }

    #[test]
    fn a_column_of_lower_rank_is_shown_where_a_better_one_does_not_fit() {
        let columns = [
            Column::whole("LONG", 2),
            Column::whole("ID", 3),
            Column::whole("A", 1),
        ];
        let row = ["twenty columns of it", "id", "a"].map(str::to_owned).to_vec();
        let layout = lay_out(&columns, std::slice::from_ref(&row), Some(10));
        assert_eq!(lines(&columns, &row, &layout), ["id  a"]);
    }

    #[test]
    fn a_column_that_lacks_little_becomes_whole_first() {
        let columns = [Column::cut("ACCOUNT", 8, 1), Column::cut("CAPTION", 8, 2)];
        let row = ["harborbakes", "Fed two days ago, shaped last night"]
            .map(str::to_owned)
            .to_vec();
        let layout = lay_out(&columns, std::slice::from_ref(&row), Some(25));
        assert_eq!(lines(&columns, &row, &layout), ["harborbakes  Fed two day…"]);
    }
}
