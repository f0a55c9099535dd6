//! What the posts of a campaign are judged by: they may also be drafts, or planned for later, and what was listed when a copy was
//! put back must have been found.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::round::{Planned, When};
use crate::bench::timestamp;
use crate::lab::copies::{Restored, may_be_forgotten};
use crate::lab::judge::{Fate, Past, Rules, Told, judge};
use crate::lab::posts::{Kind, Post};

/// What a campaign has done to its posts.
#[derive(Debug, Default)]
pub struct Record {
    created: BTreeMap<usize, Created>,
    /// Posts that a person sent before their time, after a copy was made.
    pub sent_early: BTreeSet<usize>,
    /// Accounts whose tokens expired.
    pub expired: BTreeSet<usize>,
    /// The copies that were put back.
    pub restored: Vec<Restored>,
    /// Posts that were reported as published twice.
    pub said: BTreeSet<usize>,
    /// When the judgement began: what is due later may go out while it is made.
    pub judged_at: i64,
}

#[derive(Debug, Clone, Copy)]
struct Created {
    at: i64,
    when: When,
    due_at: Option<i64>,
}

/// Whether a post is in QUEUE for a time after `at`.
pub fn is_planned_after(root: &Value, at: i64) -> bool {
    let due = root["scheduledFor"].as_str().and_then(timestamp::read);
    root["state"] == "QUEUE" && due.is_some_and(|due| due > at)
}

impl Record {
    /// Notes that a post was created, or may have been.
    pub fn note_created(&mut self, planned: &Planned, began_at: i64, at: i64) {
        let created = Created {
            at,
            when: planned.when,
            due_at: planned.when.due_at(began_at),
        };
        self.created.insert(planned.post.number, created);
    }

    /// Why a post that is not at its end may be so; `None`: it may not.
    fn waits_as_planned(&self, told: Told<'_>, root: &Value) -> Option<Fate> {
        let created = self.created.get(&told.post.number)?;
        let was_sent = self.sent_early.contains(&told.post.number);
        let is_draft = root["state"] == "DRAFT" && created.when == When::Draft;
        let is_later = is_planned_after(root, self.judged_at);
        let goes_out_now = |one: &Value| {
            one["initedAt"]
                .as_str()
                .and_then(timestamp::read)
                .is_some_and(|at| at > self.judged_at)
        };
        match (is_draft, is_later, told.out) {
            (true, _, []) => Some(Fate::Parked("a draft")),
            (_, true, []) => Some(Fate::Parked("planned for later")),
            (_, true, [one]) if goes_out_now(one) => Some(Fate::Parked("planned for later")),
            // The provider was at work on it when it was looked for, or does not list it.
            (true, _, _) if was_sent && !self.was_listed(told) => {
                Some(Fate::Parked("a draft again, and is out"))
            }
            (_, true, _) if was_sent && !self.was_listed(told) => {
                Some(Fate::Parked("planned for later again, and is out"))
            }
            _ => None,
        }
    }

    /// Whether the account listed the post when a copy was put back that has it.
    fn was_listed(&self, told: Told<'_>) -> bool {
        let Some(created) = self.created.get(&told.post.number) else {
            return false;
        };
        let listed_at = told.out.first().and_then(|one| one["publicAt"].as_str());
        let Some(listed_at) = listed_at.and_then(timestamp::read) else {
            return false;
        };
        // An account that must be reconnected shows nothing.
        can_be_listed(told.post)
            && !self.expired.contains(&told.post.account)
            && self
                .restored
                .iter()
                .any(|one| created.at < one.copied_at && listed_at < one.ended_at)
    }
}

impl Rules for Record {
    fn past(&self, post: &Post) -> Past {
        let created = self.created.get(&post.number);
        Past {
            was_restored: !self.restored.is_empty(),
            may_be_forgotten: created.is_none_or(|created| may_be_forgotten(&self.restored, created.at)),
        }
    }

    fn fate(&self, told: Told<'_>) -> Fate {
        match (judge(told), told.roots) {
            (Fate::Parked("restored, and is out"), _) if self.was_listed(told) => {
                Fate::Lost("was listed when a copy was put back, and is not PUBLISHED".to_owned())
            }
            (Fate::Lost(why), [root]) => self.waits_as_planned(told, root).unwrap_or(Fate::Lost(why)),
            (fate, _) => fate,
        }
    }

    /// Every other post may be published by the person who looks after restored ones.
    fn due_at(&self, post: &Post) -> Option<i64> {
        let may_be_early = post.number.is_multiple_of(2) || self.sent_early.contains(&post.number);
        self.created.get(&post.number)?.due_at.filter(|_| !may_be_early)
    }
}

/// Whether the post's page at the provider can be found by its text.
fn can_be_listed(post: &Post) -> bool {
    post.is_public && !post.is_for_inbox() && post.kind != Kind::Doomed
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::lab::copies::Way;
    use crate::lab::posts::{self, Kind};
    use crate::machine::epoch_micros;

    fn planned(when: When) -> Planned {
        Planned {
            post: Post {
                number: 3,
                kind: Kind::Clip,
                is_public: true,
                ..posts::plan(1, (1, 1), 1).remove(0)
            },
            when,
            is_late: false,
        }
    }

    /// Created at 100, copied at 200, put back at 300 seconds after the epoch.
    fn record(planned: &Planned) -> Record {
        let mut record = Record::default();
        record.note_created(planned, 100_000_000, 100_000_000);
        record.restored.push(Restored {
            way: Way::Backup,
            copied_at: 200_000_000,
            ended_at: 300_000_000,
        });
        record
    }

    fn fate(record: &Record, planned: &Planned, root: &Value, out: &[Value]) -> Fate {
        record.fate(Told {
            post: &planned.post,
            roots: std::slice::from_ref(root),
            children: &[],
            out,
            drafts: 0,
            past: record.past(&planned.post),
        })
    }

    fn out(listed_s: i64) -> Value {
        json!({ "postId": "7", "publicAt": timestamp::written(listed_s * 1_000_000) })
    }

    #[test]
    fn a_draft_stays_one_unless_it_was_listed_when_the_copy_was_put_back() {
        let planned = planned(When::Draft);
        let mut record = record(&planned);
        let root = json!({ "state": "DRAFT" });
        assert_eq!(fate(&record, &planned, &root, &[]), Fate::Parked("a draft"));
        assert!(
            fate(&record, &planned, &root, &[out(400)]).is_wrong(),
            "nobody sent it"
        );
        record.sent_early.insert(3);
        assert!(!fate(&record, &planned, &root, &[out(400)]).is_wrong());
        assert!(fate(&record, &planned, &root, &[out(250)]).is_wrong());
    }

    #[test]
    fn what_is_planned_may_wait_and_what_is_due_may_not() {
        let planned = planned(When::Tomorrow);
        let mut record = record(&planned);
        record.judged_at = epoch_micros();
        let at = |at: i64| json!({ "state": "QUEUE", "scheduledFor": timestamp::written(at) });
        let later = at(epoch_micros() + 60_000_000);
        assert_eq!(
            fate(&record, &planned, &later, &[]),
            Fate::Parked("planned for later")
        );
        assert!(fate(&record, &planned, &at(epoch_micros() - 1_000_000), &[]).is_wrong());
        assert!(fate(&record, &planned, &later, &[out(250)]).is_wrong());
        let mut now = out(250);
        now["initedAt"] = timestamp::written(record.judged_at + 1000).into();
        assert!(
            !fate(&record, &planned, &later, &[now]).is_wrong(),
            "it goes out meanwhile"
        );
    }

    #[test]
    fn a_post_with_a_person_that_was_listed_should_have_been_found() {
        let planned = planned(When::Past(1));
        let record = record(&planned);
        let text = format!("{}may have gone out.", crate::lab::judge::RESTORED);
        let root = json!({ "state": "ACTION_REQUIRED", "errorText": text });
        assert!(!fate(&record, &planned, &root, &[out(400)]).is_wrong());
        assert!(fate(&record, &planned, &root, &[out(250)]).is_wrong());
    }
}
