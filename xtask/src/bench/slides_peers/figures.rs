//! A peer's figures beside ours, picture by picture.

use super::super::row::{Limit, Row};
use crate::failure::{Failure, Outcome};

/// The least factor by which a peer must cost more than ours.
const LEAST: Limit = Limit::AtLeast(2.0);

/// Milliseconds of one picture; of F, too, where it was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cost {
    millis: f64,
    yardstick: Option<f64>,
}

/// The same pictures by us, by a peer, and by us again.
pub(super) struct Pictures {
    pub(super) before: Vec<Cost>,
    pub(super) theirs: Vec<Cost>,
    pub(super) after: Vec<Cost>,
}

/// A line a picture: its number, milliseconds, perhaps milliseconds of F, between tabs.
pub(super) fn costs(lines: &str) -> Outcome<Vec<Cost>> {
    let cost = |(number, line): (usize, &str)| {
        let mut columns = line.split('\t');
        (columns.next()?.parse() == Ok(number)).then_some(())?;
        let millis = columns.next()?.parse().ok()?;
        let yardstick = columns.next().and_then(|column| column.parse().ok());
        Some(Cost { millis, yardstick })
    };
    let costs = lines.lines().enumerate().map(cost).collect::<Option<Vec<_>>>();
    costs.ok_or_else(|| Failure::new(format!("no figures: {lines}")))
}

/// How much more a peer's pictures cost than ours: the median.
pub(super) fn row(what: String, pictures: &Pictures) -> Outcome<Row> {
    let Pictures {
        before,
        theirs,
        after,
    } = pictures;
    if before.is_empty() || before.len() != theirs.len() || before.len() != after.len() {
        return Err(Failure::new("some pictures are missing"));
    }
    let ours: Vec<f64> = mean(before, after, |cost| Some(cost.millis));
    let yardsticks = mean(before, after, |cost| cost.yardstick);
    let times = |of: &[f64]| theirs.iter().zip(of).map(|(cost, of)| cost.millis / of).collect();
    let millis = median(theirs.iter().map(|cost| cost.millis).collect());
    let in_yardsticks = median(times(&yardsticks));
    let own = median(ours.iter().zip(&yardsticks).map(|(ours, of)| ours / of).collect());
    let row = Row::new(what, median(times(&ours)), LEAST, "ours");
    Ok(row.remark(format!("{millis:.1} ms, {in_yardsticks:.1} F; ours {own:.2} F")))
}

fn mean(before: &[Cost], after: &[Cost], of: impl Fn(&Cost) -> Option<f64>) -> Vec<f64> {
    let figure = |cost| of(cost).unwrap_or(f64::NAN);
    let pairs = before.iter().zip(after);
    pairs
        .map(|(one, other)| (figure(one) + figure(other)) / 2.0)
        .collect()
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_is_compared_with_the_mean_of_us_before_and_after() {
        let pictures = Pictures {
            before: costs("0\t4\t10\n1\t4\t10\n2\t4\t10\n").unwrap(),
            theirs: costs("0\t15\n1\t500\n2\t10\n").unwrap(),
            after: costs("0\t6\t10\n1\t6\t10\n2\t6\t10\n").unwrap(),
        };
        let expected = Row::new("peer", 3.0, LEAST, "ours").remark("15.0 ms, 1.5 F; ours 0.50 F");
        assert_eq!(row("peer".to_owned(), &pictures).unwrap(), expected);
    }

    #[test]
    fn a_peer_that_leaves_a_picture_out_is_not_compared() {
        let all = costs("0\t4\t10\n1\t4\t10\n").unwrap();
        let pictures = Pictures {
            before: all.clone(),
            theirs: costs("0\t15\n").unwrap(),
            after: all,
        };
        assert!(row("peer".to_owned(), &pictures).is_err());
        assert!(costs("1\t15\n").is_err());
        assert!(costs("0\tnothing\n").is_err());
    }
}
