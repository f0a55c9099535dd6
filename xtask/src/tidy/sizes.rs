//! Limits on the length of functions and files, because long ones are skimmed rather than read.

use super::functions::{Function, functions, lines_without_tests};
use super::report::Report;
use super::tree::Text;

/// No Rust file is longer, those of tests included.
pub const LONGEST_FILE: usize = 500;
/// The length that a source file should not pass, tests apart; reported, not enforced.
pub const LONG_FILE: usize = 250;
/// No function is longer, tests included.
pub const LONGEST_FUNCTION: usize = 70;
/// Nine of ten functions are at most this long.
pub const NINE_OF_TEN: usize = 35;
/// Half of the functions are at most this long.
pub const HALF: usize = 12;

/// How many of the longest functions are shown.
const SHOWN: usize = 5;

/// Checks every Rust text; adds what is wrong and the figures to the report.
pub fn check(texts: &[Text], report: &mut Report) {
    files(texts, report);
    let mut all: Vec<(&Text, Function)> = Vec::new();
    for text in texts.iter().filter(|text| text.is_rust()) {
        all.extend(
            functions(&text.content)
                .into_iter()
                .map(|function| (text, function)),
        );
    }
    for (text, function) in all
        .iter()
        .filter(|(_, function)| function.lines > LONGEST_FUNCTION)
    {
        report.broken.push(format!(
            "{}: over {LONGEST_FUNCTION} lines",
            place(text, function)
        ));
    }
    all.retain(|(text, function)| text.is_source() && !text.is_test() && !function.is_test);
    all.sort_by_key(|(_, function)| function.lines);
    spread(&all, report);
}

/// The value that `percent` of the sorted values do not exceed; 0 when there are none.
pub fn percentile(sorted: &[usize], percent: usize) -> usize {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0)
}

fn spread(sorted: &[(&Text, Function)], report: &mut Report) {
    let lines: Vec<usize> = sorted.iter().map(|(_, function)| function.lines).collect();
    let (half, nine_of_ten) = (percentile(&lines, 50), percentile(&lines, 90));
    report.figures.push(format!(
        "functions: {}, median {half} lines, p90 {nine_of_ten}, longest {}",
        lines.len(),
        lines.last().copied().unwrap_or(0)
    ));
    for (text, function) in sorted.iter().rev().take(SHOWN) {
        report.figures.push(format!("  {}", place(text, function)));
    }
    if half > HALF {
        report
            .broken
            .push(format!("functions: the median is {half} lines, may be {HALF}"));
    }
    if nine_of_ten > NINE_OF_TEN {
        report.broken.push(format!(
            "functions: p90 is {nine_of_ten} lines, may be {NINE_OF_TEN}"
        ));
    }
}

fn files(texts: &[Text], report: &mut Report) {
    let all = texts.iter().filter(|text| text.is_rust());
    let lengths = all.map(|text| (&text.path, text.content.lines().count()));
    for (path, lines) in lengths.filter(|(_, lines)| *lines > LONGEST_FILE) {
        report
            .broken
            .push(format!("{path}: {lines} lines, may have {LONGEST_FILE}"));
    }
    let sources: Vec<(&str, usize, usize)> = texts
        .iter()
        .filter(|text| text.is_source())
        .map(|text| {
            (
                text.path.as_str(),
                text.content.lines().count(),
                if text.is_test() {
                    0
                } else {
                    lines_without_tests(&text.content)
                },
            )
        })
        .collect();
    let mut lengths: Vec<usize> = sources.iter().map(|(_, lines, _)| *lines).collect();
    lengths.sort_unstable();
    report.figures.push(format!(
        "source files: {}, median {} lines, p90 {}, longest {}",
        lengths.len(),
        percentile(&lengths, 50),
        percentile(&lengths, 90),
        lengths.last().copied().unwrap_or(0)
    ));
    for (path, _, lines) in sources.iter().filter(|(_, _, lines)| *lines > LONG_FILE) {
        report.figures.push(format!(
            "  {path}: {lines} lines without tests, should have {LONG_FILE}"
        ));
    }
}

fn place(text: &Text, function: &Function) -> String {
    format!(
        "{}:{}: {} has {} lines",
        text.path, function.line, function.name, function.lines
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str, content: String) -> Text {
        Text {
            path: path.to_owned(),
            content,
        }
    }

    #[test]
    fn percentiles_are_of_the_values_themselves() {
        let values: Vec<usize> = (1..=10).collect();
        assert_eq!(percentile(&values, 50), 5);
        assert_eq!(percentile(&values, 90), 9);
        assert_eq!(percentile(&[], 90), 0);
    }

    #[test]
    fn a_file_and_a_function_that_are_too_long_are_named() {
        let long = format!("fn long() {{\n{}}}\n", "    work();\n".repeat(500));
        let mut report = Report::default();
        check(&[text("crates/a/src/lib.rs", long)], &mut report);
        let broken = report.broken.join("\n");
        assert!(broken.contains("crates/a/src/lib.rs: 502 lines"), "{broken}");
        assert!(
            broken.contains("crates/a/src/lib.rs:1: long has 502 lines: over 70 lines"),
            "{broken}"
        );
        assert!(broken.contains("p90 is 502"), "{broken}");
    }

    #[test]
    fn test_files_and_tests_may_not_be_long_either() {
        let many = "#[test]\nfn a_test() {\n}\n".repeat(167);
        let long = format!("fn long() {{\n{}}}\n", "    work();\n".repeat(70));
        let mut report = Report::default();
        check(
            &[
                text("crates/a/tests/many.rs", many),
                text("crates/a/tests/long.rs", long),
                text("crates/a/tests/list.txt", "A line\n".repeat(501)),
            ],
            &mut report,
        );
        assert_eq!(
            report.broken,
            [
                "crates/a/tests/many.rs: 501 lines, may have 500",
                "crates/a/tests/long.rs:1: long has 72 lines: over 70 lines"
            ]
        );
    }
}
