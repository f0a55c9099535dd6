//! A table in Markdown, as `docs/performance.md` has them.

use std::fmt;

/// A head and its rows; the first column is text, the others are figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(head: Vec<String>) -> Self {
        Self {
            head,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |row: &[String]| format!("| {} |", row.join(" | "));
        writeln!(f, "{}", line(&self.head))?;
        let columns = (0..self.head.len()).map(|column| if column == 0 { "---" } else { "---:" });
        writeln!(f, "|{}|", columns.collect::<Vec<_>>().join("|"))?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{}", line(row)))
    }
}

/// A figure without the digits that differ from one run to the next; `–` where there is none.
pub fn figure(value: f64) -> String {
    match value.abs() {
        size if size.is_nan() => "–".to_owned(),
        size if size >= 10.0 => format!("{value:.0}"),
        size if size >= 1.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown_with_figures_to_the_right() {
        let mut table = Table::new(["what", "ms"].map(str::to_owned).to_vec());
        table.push(vec!["list".to_owned(), figure(1.26)]);
        assert_eq!(table.to_string(), "| what | ms |\n|---|---:|\n| list | 1.3 |\n");
    }

    #[test]
    fn figures_have_the_digits_that_matter() {
        let written = [0.034, 0.456, 4.56, 45.6, 4560.0, f64::NAN].map(figure);
        assert_eq!(written, ["0.03", "0.46", "4.6", "46", "4560", "–"]);
    }
}
