//! What the provider received of the posts of a bench: when each was requested, and what was published.

use std::collections::BTreeMap;

use serde_json::Value;

use super::timestamp;
use super::world::text;
use crate::failure::{Failure, Outcome};

/// What the provider saw of the posts. Times are in microseconds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// From each post's due time to the first request for it, ascending; negative when early.
    pub lags: Vec<i64>,
    /// From the last due time to the last request or upload for any post.
    pub last: i64,
    /// Posts that were never requested or not published.
    pub missing: usize,
    /// Posts that were requested or published more than once.
    pub twice: usize,
}

/// The caption of post number `number`: what it is known by at the provider.
pub fn marker(number: usize) -> String {
    format!("benchpost{number:05}end")
}

/// Reads the simulator's journal and publications; post *i* was due at `due[i]`.
///
/// # Errors
/// When an entry has no time.
pub fn seen(due: &[i64], journal: &[Value], published: &[Value]) -> Outcome<Seen> {
    let (asked, last) = requests(journal)?;
    let mut went_out: BTreeMap<usize, usize> = BTreeMap::new();
    for number in published.iter().filter_map(|post| marked(&post.to_string())) {
        *went_out.entry(number).or_default() += 1;
    }
    let times = |number: &usize| asked.get(number).map_or(0, Vec::len);
    let outs = |number: &usize| went_out.get(number).copied().unwrap_or(0);
    let lag = |(number, at): (&usize, &Vec<i64>)| Some(at.first()? - due.get(*number)?);
    let mut lags: Vec<i64> = asked.iter().filter_map(lag).collect();
    lags.sort_unstable();
    Ok(Seen {
        lags,
        last: last - due.last().copied().unwrap_or(last),
        missing: (0..due.len())
            .filter(|number| times(number) == 0 || outs(number) == 0)
            .count(),
        twice: (0..due.len())
            .filter(|number| times(number) > 1 || outs(number) > 1)
            .count(),
    })
}

/// When each post was asked for, by its number; and when the last request or upload came.
fn requests(journal: &[Value]) -> Outcome<(BTreeMap<usize, Vec<i64>>, i64)> {
    let mut asked: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    let mut last = i64::MIN;
    for entry in journal {
        let endpoint = entry["endpoint"].as_str().unwrap_or_default();
        if !matches!(endpoint, "video_init" | "content_init" | "upload" | "upload_last") {
            continue;
        }
        let at = timestamp::read(&text(&entry["at"])?);
        let at = at.ok_or_else(|| Failure::new(format!("no time in {entry}")))?;
        last = last.max(at);
        if let Some(number) = entry["body"].as_str().and_then(marked) {
            asked.entry(number).or_default().push(at);
        }
    }
    Ok((asked, last))
}

/// The number of the post that a text speaks of: one with [`marker`], or one that `bench-seed` made (`SEED.md`).
fn marked(text: &str) -> Option<usize> {
    let marked = |before, after| text.split_once(before)?.1.split_once(after)?.0.parse().ok();
    marked("benchpost", "end").or_else(|| marked("Seeded post ", ":"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const DUE: [i64; 4] = [10_000_000, 10_000_000, 11_000_000, 11_000_000];

    fn init(number: usize, at: i64) -> Value {
        let body = json!({ "post_info": { "title": marker(number) } }).to_string();
        json!({ "endpoint": "content_init", "at": timestamp::written(at), "body": body })
    }

    fn out(number: usize) -> Value {
        json!({ "caption": marker(number), "title": marker(number) })
    }

    #[test]
    fn lags_are_counted_from_each_posts_own_due_time() {
        let journal = [
            init(0, 10_005_000),
            init(1, 10_007_000),
            init(2, 11_020_000),
            init(3, 10_999_000),
        ];
        let seen = seen(&DUE, &journal, &[0, 1, 2, 3].map(out)).unwrap();
        assert_eq!(seen.lags, [-1000, 5000, 7000, 20_000]);
        assert_eq!((seen.last, seen.missing, seen.twice), (20_000, 0, 0));
    }

    #[test]
    fn a_post_that_goes_out_twice_or_never_is_counted() {
        let journal = [
            init(0, 10_000_000),
            init(0, 10_100_000),
            init(1, 10_000_000),
            init(2, 11_000_000),
        ];
        let seen = seen(&DUE, &journal, &[out(0), out(1), out(1)]).unwrap();
        assert_eq!((seen.missing, seen.twice), (2, 2));
    }

    #[test]
    fn the_last_upload_counts_although_it_names_no_post() {
        let upload = json!({ "endpoint": "upload_last", "at": timestamp::written(12_000_000), "body": "" });
        let seen = seen(&DUE, &[init(0, 10_000_000), upload], &[]).unwrap();
        assert_eq!((seen.last, seen.lags.len()), (1_000_000, 1));
    }
}
