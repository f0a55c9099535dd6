//! The posts that the disconnecting clients change: a draft and a post that is planned for next year for each client. Neither may
//! ever go out, and each exists once, however often the request that creates it was sent.

use serde_json::{Value, json};

use super::Request;
use crate::bench::timestamp;
use crate::lab::posts::{Kind, Post, Timing};
use crate::lab::stage::Stage;

/// Later than any run ends, in microseconds.
const A_YEAR: i64 = 365 * 86_400_000_000;
/// Between the two times that a planned post has in turn, in microseconds.
const AN_HOUR: i64 = 3_600_000_000;

/// A post of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPost {
    /// The number of its client.
    pub client: usize,
    /// In the queue for next year; else a draft.
    pub is_planned: bool,
    /// The account that it would go to.
    pub account: usize,
    /// When its client began, in microseconds since the epoch.
    pub began_at: i64,
}

/// What is wrong with a post at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// It exists or is out more often than it may.
    Duplicate(String),
    /// It is gone, or is not as any request left it.
    Lost(String),
}

impl OwnPost {
    /// What its texts begin with. None of them bears the marker of a post of the run.
    pub fn name(&self) -> String {
        let kind = if self.is_planned {
            "planned kite"
        } else {
            "draft of a kite"
        };
        format!("A {kind} of client {:02}", self.client)
    }

    /// One of its texts.
    pub fn text(&self, is_second: bool) -> String {
        let word = if is_second { "second" } else { "first" };
        format!("{}, {word} text #kites", self.name())
    }

    /// One of the times that it is planned for, as the API shows it.
    fn time(&self, is_second: bool) -> String {
        timestamp::written(self.began_at + A_YEAR + if is_second { AN_HOUR } else { 0 })
    }

    /// The request that creates it. It is the same each time.
    pub fn creation(&self, stage: &Stage) -> Request {
        let like = Post {
            number: 0,
            account: self.account,
            kind: Kind::Clip,
            is_public: true,
            due_ms: 0,
        };
        let timing = Timing {
            mode: if self.is_planned { "schedule" } else { "draft" },
            at: self.began_at + A_YEAR,
        };
        let body = like.request(&stage.media(), &stage.seeded.platforms, timing);
        let mut body: Value = serde_json::from_str(&body).unwrap_or_default();
        body["content"] = json!(self.text(false));
        Request {
            method: "POST",
            path: "/public/v1/posts".to_owned(),
            idempotency_key: Some(self.name().replace(' ', "-")),
            json: body.to_string(),
        }
    }

    /// A request that gives it another text.
    pub fn edit(&self, id: &str, is_second: bool) -> Request {
        Request {
            method: "PATCH",
            path: format!("/public/v1/posts/{id}"),
            idempotency_key: None,
            json: json!({ "content": self.text(is_second) }).to_string(),
        }
    }

    /// A request that gives it another time, if it is planned.
    pub fn reschedule(&self, id: &str, is_second: bool) -> Request {
        Request {
            method: "PATCH",
            path: format!("/public/v1/posts/{id}/schedule"),
            idempotency_key: None,
            json: json!({ "scheduledFor": self.time(is_second) }).to_string(),
        }
    }

    /// Whether a text is one of its own.
    pub fn is_text(&self, text: &str) -> bool {
        text.starts_with(&self.name())
    }

    /// What is wrong with it. `roots`: all that the service has with its texts; `out`: how many of them went out. After a restore it
    /// may wait for a person.
    pub fn judge(&self, roots: &[Value], out: usize, was_restored: bool) -> Option<Wrong> {
        let name = self.name();
        if out > 0 {
            return Some(Wrong::Duplicate(format!("{name}: went out {out} times")));
        }
        let root = match roots {
            [root] => root,
            [] => return Some(Wrong::Lost(format!("{name}: the service does not know it"))),
            more => {
                return Some(Wrong::Duplicate(format!(
                    "{name}: was created {} times",
                    more.len()
                )));
            }
        };
        let texts = [self.text(false), self.text(true)];
        let has_a_text = texts.iter().any(|text| root["content"] == text.as_str());
        let is_in_time = !self.is_planned || [false, true].map(|is| self.time(is)).contains(&time_of(root));
        let state = if self.is_planned { "QUEUE" } else { "DRAFT" };
        let is_in_state = root["state"] == state || (was_restored && root["state"] == "ACTION_REQUIRED");
        (!has_a_text || !is_in_time || !is_in_state).then(|| Wrong::Lost(format!("{name}: {root}")))
    }
}

fn time_of(root: &Value) -> String {
    root["scheduledFor"].as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::posts::marked;

    fn own(is_planned: bool) -> OwnPost {
        OwnPost {
            client: 3,
            is_planned,
            account: 9,
            began_at: 0,
        }
    }

    fn shown(post: &OwnPost, state: &str) -> Value {
        json!({ "state": state, "content": post.text(true), "scheduledFor": post.time(true) })
    }

    #[test]
    fn a_post_of_a_client_is_no_post_of_the_run_and_no_other_of_its_client() {
        let (draft, planned) = (own(false), own(true));
        for text in [draft.text(false), planned.text(true)] {
            assert_eq!(marked(&text), None);
        }
        assert!(draft.is_text(&draft.text(true)) && !draft.is_text(&planned.text(true)));
    }

    #[test]
    fn a_post_of_a_client_exists_once_as_a_request_left_it_and_is_not_out() {
        let (draft, planned) = (own(false), own(true));
        let (a_draft, a_planned) = (shown(&draft, "DRAFT"), shown(&planned, "QUEUE"));
        assert_eq!(draft.judge(std::slice::from_ref(&a_draft), 0, false), None);
        assert_eq!(planned.judge(std::slice::from_ref(&a_planned), 0, false), None);
        let is_duplicate = |wrong| matches!(wrong, Some(Wrong::Duplicate(_)));
        assert!(is_duplicate(draft.judge(
            &[a_draft.clone(), a_draft.clone()],
            0,
            false
        )));
        assert!(is_duplicate(planned.judge(&[a_planned], 1, false)));
        let is_lost = |wrong| matches!(wrong, Some(Wrong::Lost(_)));
        assert!(is_lost(draft.judge(&[], 0, false)));
        let mut torn = a_draft;
        torn["content"] = json!(format!("{}, third text", draft.name()));
        assert!(is_lost(draft.judge(&[torn], 0, false)));
        let mut moved = shown(&planned, "QUEUE");
        moved["scheduledFor"] = json!(timestamp::written(7));
        assert!(is_lost(planned.judge(&[moved], 0, false)));
    }

    #[test]
    fn a_post_of_a_client_waits_for_a_person_only_after_a_restore() {
        let planned = own(true);
        let waits = [shown(&planned, "ACTION_REQUIRED")];
        assert!(planned.judge(&waits, 0, false).is_some());
        assert_eq!(planned.judge(&waits, 0, true), None);
    }
}
