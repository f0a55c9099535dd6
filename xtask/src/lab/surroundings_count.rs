//! How often each fault of the surroundings happened.

use std::fmt;

use super::bucket::{Bucket, BucketCount};
use super::fault_proxy::counts::Affected;
use super::media_folder::Absences;
use super::nodes::Nodes;
use super::stage::Stage;
use super::wrong_key::Answers;

/// The counts of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SurroundingsCount {
    /// Connections to PostgreSQL.
    pub connections: Affected,
    /// The folder of the media.
    pub media: Absences,
    /// The bucket, if the run was on one.
    pub bucket: Option<BucketCount>,
    /// Processes with the wrong secret key.
    pub wrong_key: Answers,
    /// Processes whose clock was wrong.
    pub skewed: usize,
}

impl SurroundingsCount {
    /// What was counted in a run.
    pub fn of(stage: &Stage, nodes: &Nodes<'_>) -> Self {
        let proxy = stage.database_proxy.as_ref();
        Self {
            connections: proxy.map(|proxy| proxy.affected()).unwrap_or_default(),
            media: stage.media_folder.absences(),
            bucket: stage.bucket.as_ref().map(Bucket::count),
            wrong_key: nodes.wrong_key.answers,
            skewed: nodes.tally.skewed,
        }
    }
}

impl fmt::Display for SurroundingsCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            connections,
            media,
            bucket,
            wrong_key,
            skewed,
        } = self;
        write!(
            f,
            "connections to PostgreSQL: {} frozen, {} cut, {} delayed; ",
            connections.frozen, connections.cut, connections.delayed
        )?;
        match bucket {
            Some(bucket) => write!(f, "{bucket}")?,
            None => write!(
                f,
                "the media were away {} times, {} times with a new folder in their place, which had {} files",
                media.times, media.replaced, media.files
            )?,
        }
        write!(
            f,
            "; {} processes had the wrong key, {} of them answered; {skewed} had a wrong clock",
            wrong_key.processes, wrong_key.answering
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_counted_in_words() {
        let counts = SurroundingsCount {
            connections: Affected {
                frozen: 11,
                cut: 12,
                delayed: 13,
                refused: 0,
            },
            media: Absences {
                times: 14,
                replaced: 15,
                files: 19,
            },
            bucket: None,
            wrong_key: Answers {
                processes: 16,
                answering: 17,
                ready: 0,
            },
            skewed: 18,
        };
        let text = counts.to_string();
        assert!((11..=19).all(|count| text.contains(&count.to_string())), "{text}");
        let of_a_bucket = SurroundingsCount {
            bucket: Some(BucketCount {
                stopped: 20,
                ..BucketCount::default()
            }),
            ..counts
        };
        let text = of_a_bucket.to_string();
        assert!(
            text.contains("stopped 20 times") && !text.contains("away"),
            "{text}"
        );
    }
}
