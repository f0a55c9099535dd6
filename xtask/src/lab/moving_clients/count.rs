//! How often clients moved between nodes, and what became of their uploads.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use super::record::Fate;

/// How a client went from node to node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moves {
    /// PATCH requests.
    pub requests: usize,
    /// Requests of any kind that went to another node than the one before.
    pub moved: usize,
    /// Connections that the client closed in the middle of a body.
    pub closed: usize,
    /// Connections that it left open in the middle of a body.
    pub half_sent: usize,
    /// Those that it left open with the whole body sent, before the answer.
    pub unanswered: usize,
    /// Answers to requests that were left, which acknowledged bytes.
    pub answered_late: usize,
    /// Connections that ended without an answer.
    pub broken: usize,
}

impl AddAssign for Moves {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.moved += other.moved;
        self.closed += other.closed;
        self.half_sent += other.half_sent;
        self.unanswered += other.unanswered;
        self.answered_late += other.answered_late;
        self.broken += other.broken;
    }
}

/// The uploads of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MovedUploads {
    /// How clients moved.
    pub moves: Moves,
    /// How many bytes the uploads have that are whole.
    pub bytes: u64,
    /// How many are whole.
    pub whole: usize,
    /// How many are not, by the reason that excuses it.
    pub excused: BTreeMap<&'static str, usize>,
    /// Those of which something acknowledged is lost.
    pub lost: Vec<String>,
}

impl MovedUploads {
    /// Adds an upload of so many bytes.
    pub fn add(&mut self, length: u64, fate: Fate) {
        match fate {
            Fate::Whole => {
                self.whole += 1;
                self.bytes += length;
            }
            Fate::Excused(why) => *self.excused.entry(why).or_default() += 1,
            Fate::Lost(why) => self.lost.push(why),
        }
    }
}

impl fmt::Display for MovedUploads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moves {
            requests,
            moved,
            closed,
            half_sent,
            unanswered,
            answered_late,
            broken,
        } = self.moves;
        write!(
            f,
            "uploads between nodes: {} whole ({} MB) in {requests} parts, {moved} requests to another node than the one before; {closed} \
             connections closed and {half_sent} left open in the middle of a part, {unanswered} left before the answer ({answered_late} \
             answered later), {broken} broken",
            self.whole,
            self.bytes / 1_000_000
        )?;
        let mut excused = self.excused.iter();
        excused.try_for_each(|(why, count)| write!(f, "; {count} {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_and_every_fate_is_counted_in_words() {
        let mut uploads = MovedUploads::default();
        for _ in 0..2 {
            uploads.moves += Moves {
                requests: 51,
                moved: 52,
                closed: 53,
                half_sent: 54,
                unanswered: 55,
                answered_late: 56,
                broken: 57,
            };
            uploads.add(3_000_000, Fate::Whole);
            uploads.add(5_000_000, Fate::Excused("cut by a restore"));
        }
        uploads.add(1, Fate::Lost("why".to_owned()));
        let text = uploads.to_string();
        let counts = (51..=57).map(|count| count * 2);
        assert!(
            counts.clone().all(|count| text.contains(&count.to_string())),
            "{text}"
        );
        assert!(
            text.contains("2 whole (6 MB)") && text.ends_with("; 2 cut by a restore"),
            "{text}"
        );
        assert_eq!(uploads.lost, ["why"]);
    }
}
