//! What a client knows of an upload, and what became of it. Pure: the client gathers, this decides.

use super::choices::Video;
use crate::lab::copies::Restored;

/// The failure of an upload that the service gave up, because a process died at each attempt to finish it.
const GIVEN_UP: &str = "processing_failed";

/// An answer of the service that so many bytes have arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Acknowledgement {
    /// How many bytes.
    pub offset: u64,
    /// When the request began, in microseconds since the epoch.
    pub asked_at: i64,
    /// When its response was read.
    pub read_at: i64,
}

/// An upload as its client knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its ID, which is that of its media object.
    pub id: String,
    /// What is uploaded.
    pub video: Video,
    /// When it began, in microseconds since the epoch.
    pub begun_at: i64,
    /// The most bytes that were acknowledged, by a 204 or as the answer to HEAD.
    pub acknowledged: Acknowledgement,
    /// Acknowledgements after which HEAD answered fewer bytes, and how many.
    pub went_back: Vec<(Acknowledgement, u64)>,
    /// The last answer that was none of success.
    pub last_refusal: String,
}

/// What the service has of an upload at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The media object is READY; what is wrong with its bytes at each node, if anything.
    Ready(Vec<String>),
    /// It is PENDING, so many bytes are in, with the code of its failure if it failed.
    Pending(u64, Option<String>),
    /// It is not there.
    Missing,
}

/// What became of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It can be downloaded as it was sent.
    Whole,
    /// It is not whole, for a reason that the faults explain.
    Excused(&'static str),
    /// Something that was acknowledged is not so.
    Lost(String),
}

impl Record {
    /// An upload that was begun.
    pub fn begun(id: String, video: Video, asked_at: i64, read_at: i64) -> Self {
        Self {
            id,
            video,
            begun_at: asked_at,
            acknowledged: Acknowledgement {
                offset: 0,
                asked_at,
                read_at,
            },
            went_back: Vec::new(),
            last_refusal: String::new(),
        }
    }

    /// Notes that a 204 acknowledged bytes. It may be one of an earlier request.
    pub fn acknowledge(&mut self, acknowledgement: Acknowledgement) {
        if acknowledgement.offset > self.acknowledged.offset {
            self.acknowledged = acknowledgement;
        }
    }

    /// Notes what HEAD answered, which began after all that was acknowledged so far.
    pub fn stands_at(&mut self, answer: Acknowledgement) {
        if answer.offset < self.acknowledged.offset {
            self.went_back.push((self.acknowledged, answer.offset));
            self.acknowledged = answer;
        }
        self.acknowledge(answer);
    }

    /// Whether it was acknowledged to its last byte.
    pub fn is_whole(&self) -> bool {
        self.acknowledged.offset == self.video.length
    }

    /// What became of it, in a run in which these copies were put back.
    pub fn fate(&self, found: &Found, restored: &[Restored]) -> Fate {
        let back = self.went_back.iter();
        if let Some((before, after)) = back
            .clone()
            .find(|(before, _)| !may_be_forgotten(*before, restored))
        {
            let before = before.offset;
            return self.lost(&format!(
                "{before} bytes were acknowledged, and HEAD answered {after} then"
            ));
        }
        let is_cut_by_a_restore = match self.is_whole() {
            true => may_be_forgotten(self.acknowledged, restored),
            false => restored.iter().any(|one| one.ended_at >= self.begun_at),
        };
        match found {
            Found::Ready(wrong) if wrong.is_empty() => Fate::Whole,
            Found::Ready(wrong) => self.lost(&wrong.join("; ")),
            _ if is_cut_by_a_restore => Fate::Excused("cut by a restore"),
            Found::Missing => self.lost("the service does not know it"),
            Found::Pending(_, Some(code)) if code == GIVEN_UP && !self.is_whole() => {
                Fate::Excused("given up by the service, as each attempt to finish it died")
            }
            Found::Pending(_, Some(code)) => self.lost(&format!("it failed: {code}")),
            Found::Pending(offset, None) => {
                self.lost(&format!("it stands at {offset} and cannot be finished"))
            }
        }
    }

    fn lost(&self, why: &str) -> Fate {
        let (id, length, acknowledged) = (&self.id, self.video.length, self.acknowledged.offset);
        let last = &self.last_refusal;
        Fate::Lost(format!(
            "upload {id} of {length} bytes, {acknowledged} of them acknowledged: {why}; the last refusal: {last}"
        ))
    }
}

/// Whether what was acknowledged may be missing in a copy that was put back.
fn may_be_forgotten(acknowledgement: Acknowledgement, restored: &[Restored]) -> bool {
    restored
        .iter()
        .any(|one| one.copied_at <= acknowledgement.read_at && acknowledgement.asked_at <= one.ended_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::copies::Way;

    const LENGTH: u64 = 1000;

    fn acknowledgement(offset: u64, at: i64) -> Acknowledgement {
        Acknowledgement {
            offset,
            asked_at: at,
            read_at: at + 5,
        }
    }

    fn record(acknowledged: u64, at: i64) -> Record {
        let video = Video {
            length: LENGTH,
            seed: 1,
        };
        let mut record = Record::begun("id".to_owned(), video, 10, 11);
        record.acknowledge(acknowledgement(acknowledged, at));
        record
    }

    fn restored(copied_at: i64, ended_at: i64) -> [Restored; 1] {
        [Restored {
            way: Way::Backup,
            copied_at,
            ended_at,
        }]
    }

    fn is_lost(fate: &Fate) -> bool {
        matches!(fate, Fate::Lost(_))
    }

    #[test]
    fn an_upload_that_is_ready_is_whole_if_each_node_serves_its_bytes() {
        let ready = Found::Ready(Vec::new());
        assert_eq!(record(LENGTH, 50).fate(&ready, &[]), Fate::Whole);
        // The answer to its last request was lost.
        assert_eq!(record(400, 50).fate(&ready, &[]), Fate::Whole);
        let wrong = Found::Ready(vec!["byte 7 differs".to_owned()]);
        assert!(is_lost(&record(LENGTH, 50).fate(&wrong, &[])));
        assert!(is_lost(&record(LENGTH, 50).fate(&wrong, &restored(20, 60))));
    }

    #[test]
    fn an_upload_that_was_acknowledged_whole_is_lost_if_it_is_not_ready() {
        for found in [
            Found::Missing,
            Found::Pending(LENGTH, None),
            Found::Pending(LENGTH, Some(GIVEN_UP.to_owned())),
        ] {
            assert!(is_lost(&record(LENGTH, 50).fate(&found, &[])), "{found:?}");
        }
    }

    #[test]
    fn an_upload_that_is_not_whole_is_lost_unless_the_service_gave_it_up() {
        let failed = |code: &str| Found::Pending(400, Some(code.to_owned()));
        let part = record(400, 50);
        assert!(is_lost(&part.fate(&Found::Missing, &[])));
        assert!(is_lost(&part.fate(&Found::Pending(400, None), &[])));
        assert!(is_lost(&part.fate(&failed("invalid_media_file"), &[])));
        assert!(matches!(part.fate(&failed(GIVEN_UP), &[]), Fate::Excused(_)));
    }

    #[test]
    fn only_what_was_acknowledged_since_a_copy_is_forgotten_by_its_restore() {
        let fate = |at, restored: &[Restored]| record(LENGTH, at).fate(&Found::Missing, restored);
        assert!(is_lost(&fate(14, &restored(20, 60))), "before the copy");
        assert!(!is_lost(&fate(16, &restored(20, 60))), "while it is made");
        assert!(!is_lost(&fate(60, &restored(20, 60))));
        assert!(is_lost(&fate(61, &restored(20, 60))), "after the restore");
        let part = record(400, 12);
        assert!(!is_lost(&part.fate(&Found::Missing, &restored(20, 60))));
        assert!(
            is_lost(&part.fate(&Found::Missing, &restored(1, 9))),
            "it began later"
        );
    }

    #[test]
    fn an_offset_that_goes_back_is_lost_unless_a_restore_explains_it() {
        let mut record = record(400, 50);
        record.stands_at(acknowledgement(500, 60));
        assert_eq!((record.acknowledged.offset, record.went_back.len()), (500, 0));
        // An answer to an earlier request that is read late.
        record.acknowledge(acknowledgement(450, 60));
        assert_eq!(record.acknowledged.offset, 500);
        record.stands_at(acknowledgement(499, 70));
        assert_eq!(record.acknowledged.offset, 499);
        record.acknowledge(acknowledgement(LENGTH, 80));
        let ready = Found::Ready(Vec::new());
        assert!(is_lost(&record.fate(&ready, &[])));
        assert!(is_lost(&record.fate(&ready, &restored(75, 90))), "later");
        assert_eq!(record.fate(&ready, &restored(40, 66)), Fate::Whole);
    }
}
