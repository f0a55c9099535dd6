//! One line of a bench's result: what, how much, what was asked for, and whether it holds.

use std::fmt;

/// A figure beside its limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    what: String,
    figure: f64,
    limit: Limit,
    unit: &'static str,
    remark: String,
}

/// What a figure must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
    /// None: the figure is shown for comparison.
    None,
}

impl Row {
    /// A figure in `unit` and its limit in the same.
    pub fn new(what: impl Into<String>, figure: f64, limit: Limit, unit: &'static str) -> Self {
        Self {
            what: what.into(),
            figure,
            limit,
            unit,
            remark: String::new(),
        }
    }

    /// Prefixes what is measured with `whose` it is.
    #[must_use]
    pub fn of(mut self, whose: &str) -> Self {
        self.what = format!("{whose}: {}", self.what);
        self
    }

    /// Adds what else is worth knowing.
    #[must_use]
    pub fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remark = remark.into();
        self
    }

    /// Whether the figure keeps its limit. A figure that is no number keeps none.
    pub fn holds(&self) -> bool {
        match self.limit {
            Limit::AtMost(limit) => self.figure <= limit,
            Limit::AtLeast(limit) => self.figure >= limit,
            Limit::None => true,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit;
        let required = match self.limit {
            Limit::AtMost(limit) => format!("at most {limit} {unit}"),
            Limit::AtLeast(limit) => format!("at least {limit} {unit}"),
            Limit::None => String::new(),
        };
        let verdict = match self.limit {
            Limit::None => "",
            _ if self.holds() => "PASS",
            _ => "FAIL",
        };
        let figure = format!("{} {unit}", rounded(self.figure));
        write!(
            f,
            "{:<52} {figure:>14}   {required:<20} {verdict:<4} {}",
            self.what, self.remark
        )
    }
}

/// Three digits that matter, without an exponent; what is no number was not measured.
fn rounded(figure: f64) -> String {
    match figure.abs() {
        size if size.is_nan() => "no".to_owned(),
        size if size >= 100.0 || size == 0.0 => format!("{figure:.0}"),
        size if size >= 10.0 => format!("{figure:.1}"),
        size if size >= 1.0 => format!("{figure:.2}"),
        _ => format!("{figure:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_at_its_limit_holds() {
        assert!(Row::new("a", 2.0, Limit::AtMost(2.0), "s").holds());
        assert!(Row::new("a", 0.8, Limit::AtLeast(0.8), "×").holds());
        assert!(!Row::new("a", 2.01, Limit::AtMost(2.0), "s").holds());
        assert!(!Row::new("a", 0.79, Limit::AtLeast(0.8), "×").holds());
        assert!(!Row::new("a", f64::NAN, Limit::AtMost(2.0), "s").holds());
    }

    #[test]
    fn a_row_shows_figure_limit_and_verdict() {
        let line = Row::new("idle", 31.24, Limit::AtMost(40.0), "MB")
            .remark("SQLite")
            .to_string();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(
            words,
            ["idle", "31.2", "MB", "at", "most", "40", "MB", "PASS", "SQLite"]
        );
    }
}
