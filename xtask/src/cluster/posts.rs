//! Posts that go out through the cluster: each once, none early, none late.

use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::nodes::{ACCOUNTS, Cluster, NODES};
use crate::bench::http::{Body, Connection, Request};
use crate::bench::world::World;
use crate::bench::{post, timestamp};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{epoch_micros, now};

/// How many posts are due, and the time between two of them.
const POSTS: usize = 60;
const POST_EVERY: Duration = Duration::from_millis(500);
/// From now until the first is due.
const LEAD: Duration = Duration::from_secs(5);
/// How long after the last due time everything must have gone out.
const PATIENCE: Duration = Duration::from_secs(120);

/// Posts that were scheduled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scheduled {
    first: i64,
}

/// What became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counted {
    out: usize,
    twice: usize,
    early: usize,
    /// The longest time from due until the provider got the first request.
    latest: Duration,
}

/// Schedules posts through the balancer, kills nodes while they go out if that is wanted, and counts what went out.
pub(super) fn publish(cluster: &mut Cluster, kill: bool) -> Outcome<()> {
    let scheduled = Scheduled::of(cluster)?;
    println!("{POSTS} posts are due within {} s", scheduled.span().as_secs());
    let mut killed = 0;
    while kill && epoch_micros() < scheduled.last() {
        cluster.kill(killed % NODES)?;
        killed += 1;
    }
    let counted = scheduled.wait(cluster)?;
    println!("{counted}; {killed} nodes were killed");
    counted.judge()
}

impl Scheduled {
    /// Uploads the video of the demo and schedules its posts, through the balancer.
    pub(super) fn of(cluster: &Cluster) -> Outcome<Self> {
        let media = upload_clip(cluster)?;
        let scheduled = Self {
            first: epoch_micros() + micros(LEAD),
        };
        for number in 0..POSTS {
            let platform = &cluster.seeded.platforms[number % ACCOUNTS];
            let json = post::body(
                &format!("Post {number}"),
                platform,
                &media,
                Some(scheduled.due(number)),
            );
            let create = Request {
                method: "POST",
                path: "/public/v1/posts",
                json: &json,
            };
            cluster.ask(create)?.json(201)?;
        }
        Ok(scheduled)
    }

    fn due(self, number: usize) -> i64 {
        self.first + micros(POST_EVERY) * i64::try_from(number).unwrap_or(0)
    }

    fn span(self) -> Duration {
        LEAD + POST_EVERY * u32::try_from(POSTS).unwrap_or(0)
    }

    /// When the last is due.
    pub(super) fn last(self) -> i64 {
        self.due(POSTS)
    }

    /// Waits until all are published, and counts at the provider.
    pub(super) fn wait(self, cluster: &mut Cluster) -> Outcome<Counted> {
        let began = now();
        while cluster.simulator.publications()?.len() < POSTS && began.elapsed() < self.span() + PATIENCE {
            thread::sleep(Duration::from_millis(500));
        }
        self.count(&cluster.simulator.publications()?)
    }

    fn count(self, publications: &[Value]) -> Outcome<Counted> {
        let mut lags: Vec<(usize, i64)> = Vec::new();
        for publication in publications {
            let number = publication["caption"]
                .as_str()
                .and_then(|text| text.strip_prefix("Post "));
            let number = number.and_then(|number| number.parse().ok());
            let begun = publication["initedAt"].as_str().and_then(timestamp::read);
            let (Some(number), Some(begun)) = (number, begun) else {
                return Err(Failure::new(format!("what is this publication? {publication}")));
            };
            lags.push((number, begun - self.due(number)));
        }
        lags.sort_unstable();
        let all = lags.len();
        lags.dedup_by_key(|(number, _)| *number);
        let latest = lags.iter().map(|(_, lag)| *lag).max().unwrap_or(0);
        Ok(Counted {
            out: lags.len(),
            twice: all - lags.len(),
            // The simulator shows milliseconds, cut.
            early: lags.iter().filter(|(_, lag)| *lag < -1000).count(),
            latest: Duration::from_micros(u64::try_from(latest).unwrap_or(0)),
        })
    }
}

impl Counted {
    /// Fails unless every post went out once and not early.
    pub(super) fn judge(self) -> Outcome<()> {
        match self {
            Self {
                out: POSTS,
                twice: 0,
                early: 0,
                ..
            } => Ok(()),
            _ => Err(Failure::new("not every post went out once and in time")),
        }
    }

    /// The longest time from due until the provider got the first request.
    pub(super) fn latest(self) -> Duration {
        self.latest
    }
}

impl std::fmt::Display for Counted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            out,
            twice,
            early,
            latest,
        } = self;
        let (lost, latest) = (POSTS.saturating_sub(*out), latest.as_secs_f64());
        write!(
            f,
            "{out} posts went out, {twice} twice, {early} early, {lost} not; the latest {latest:.1} s after it was due"
        )
    }
}

fn upload_clip(cluster: &Cluster) -> Outcome<String> {
    let clip = std::fs::read(World::demo_asset("clip.mp4")).doing("reading the video of the demo")?;
    let begin = format!(
        "POST /public/v1/media/uploads HTTP/1.1\r\nhost: localhost\r\ntus-resumable: 1.0.0\r\nupload-length: {}\r\n\
         content-length: {}\r\ncontent-type: application/offset+octet-stream\r\n",
        clip.len(),
        clip.len()
    );
    let mut connection = Connection::open(cluster.address(), &cluster.seeded.key)?;
    let answer = connection.send_stream(&begin, &mut [Body::Bytes(&clip)])?;
    let location = answer
        .location
        .filter(|_| answer.status == 201)
        .ok_or_else(|| Failure::new(format!("the upload: {}", answer.status)))?;
    let id = location.rsplit('/').next().unwrap_or_default();
    Ok(id.to_owned())
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_went_out_is_counted_by_its_number() {
        let scheduled = Scheduled { first: 1_000_000_000 };
        let out = |number: usize, after: i64| {
            let at = timestamp::written(scheduled.due(number) + after);
            json!({ "caption": format!("Post {number}"), "initedAt": at })
        };
        let counted = scheduled
            .count(&[out(0, 2_000_000), out(1, 9_000_000), out(1, 0), out(2, -9_000)])
            .unwrap();
        let shown =
            "3 posts went out, 1 twice, 1 early, 57 not; the latest 2.0 s after it was due".to_owned();
        assert_eq!(counted.to_string(), shown);
        assert!(counted.judge().is_err());
        let all: Vec<_> = (0..POSTS).map(|number| out(number, 1_000)).collect();
        assert!(scheduled.count(&all).unwrap().judge().is_ok());
    }
}
