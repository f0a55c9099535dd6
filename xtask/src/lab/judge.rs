//! What became of a post, from what the service reports and what the provider has. Pure: the run gathers, this decides.

use serde_json::Value;

use super::posts::{COMMENTS, Kind, Post};

/// What is known of a post at the end.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The post as planned.
    pub post: &'a Post,
    /// As the service shows it: once, unless something is wrong.
    pub roots: &'a [Value],
    /// Its comments as the service shows them.
    pub children: &'a [Value],
    /// Its publications at the provider.
    pub out: &'a [Value],
    /// How many drafts of it reached an inbox.
    pub drafts: usize,
    /// What restores may have done to it.
    pub past: Past,
}

/// What restores may have done to a post.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Past {
    /// A copy was put back in this run.
    pub was_restored: bool,
    /// It was created after a copy was made that was put back later: the service may not know it any more.
    pub may_be_forgotten: bool,
}

/// How the service begins the text of a post, and of a comment, that a restore left to a person.
pub const RESTORED: &str = "Publications were held, as after a restore, and this post ";
/// See [`RESTORED`].
pub const RESTORED_COMMENT: &str = "Publications were held, as after a restore, and this comment ";

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It was published once, and the service reports that.
    Published,
    /// It waits for a person or has ended, for a reason that the troubles explain.
    Parked(&'static str),
    /// It was published more than once.
    Duplicate(String),
    /// It was not published, or the service reports something untrue about it.
    Lost(String),
}

impl Fate {
    /// Whether this must never be.
    pub fn is_wrong(&self) -> bool {
        matches!(self, Self::Duplicate(_) | Self::Lost(_))
    }
}

/// What the posts of a run are judged by.
pub trait Rules {
    /// What restores may have done to a post.
    fn past(&self, post: &Post) -> Past;

    /// What became of a post.
    fn fate(&self, told: Told<'_>) -> Fate {
        judge(told)
    }

    /// Before which time it must not be handed over, in microseconds since the epoch; `None`: a person may have sent it early.
    fn due_at(&self, post: &Post) -> Option<i64>;
}

/// Decides.
pub fn judge(told: Told<'_>) -> Fate {
    if told.out.len() > 1 || told.drafts > 1 {
        return Fate::Duplicate(format!(
            "went out {} times, {} drafts",
            told.out.len(),
            told.drafts
        ));
    }
    if let Some(twice) = written_twice(told) {
        return twice;
    }
    let root = match told.roots {
        [root] => root,
        [] if told.past.may_be_forgotten => return Fate::Parked(forgotten(told)),
        [] => return Fate::Lost("the service does not know it".to_owned()),
        more => return Fate::Duplicate(format!("was created {} times", more.len())),
    };
    let text = root["errorText"].as_str().unwrap_or_default();
    let found = match root["state"].as_str().unwrap_or_default() {
        "PUBLISHED" => published(told, root),
        "ACTION_REQUIRED" => waits(told, text),
        "QUEUE" if waits_for_room(root) => queued(told, text),
        "ERROR" => ended(told, text),
        // It was created as a draft, and published after the copy was made.
        "DRAFT" if told.past.may_be_forgotten => Ok(Fate::Parked(match told.out {
            [] => "a draft again after a restore, and is not out",
            _ => "a draft again after a restore, and is out",
        })),
        state => Err(format!("still {state}: {text}")),
    };
    found.unwrap_or_else(Fate::Lost)
}

/// A post that the database does not contain, because it was created after the copy that was restored.
fn forgotten(told: Told<'_>) -> &'static str {
    match (told.out, told.drafts) {
        ([], 0) => "forgotten by a restore, and is not out",
        ([], _) => "forgotten by a restore, and is in an inbox",
        _ => "forgotten by a restore, and is out",
    }
}

/// A comment that is there more than once, whatever the service reports about it and its post.
fn written_twice(told: Told<'_>) -> Option<Fate> {
    let count = match told.post.kind {
        Kind::Commented => COMMENTS,
        _ => 0,
    };
    (0..count).find_map(|place| match times_written(told, place) {
        0 | 1 => None,
        times => Some(Fate::Duplicate(format!(
            "its comment {place} is there {times} times"
        ))),
    })
}

fn times_written(told: Told<'_>, place: usize) -> usize {
    let text = told.post.comment(place);
    let written = told
        .out
        .iter()
        .filter_map(|one| one["comments"].as_array())
        .flatten();
    written.filter(|comment| comment["text"] == text.as_str()).count()
}

/// Whether a post waits because the creator's inbox was full: for an hour at a time, which no run waits for.
pub fn waits_for_room(root: &Value) -> bool {
    let text = root["errorText"].as_str().unwrap_or_default();
    root["state"] == "QUEUE" && text.contains("(spam_risk_too_many_pending_share)")
}

fn published(told: Told<'_>, root: &Value) -> Result<Fate, String> {
    let [one] = told.out else {
        return Err("says PUBLISHED and is not out".to_owned());
    };
    match (&root["releaseId"], &one["postId"]) {
        (Value::Null, _) => commented(told),
        (said, is) if said == is => commented(told),
        (said, is) => Err(format!("its releaseId is {said} and not {is}")),
    }
}

/// Whether each comment of a published post is under it, as often as the service reports.
fn commented(told: Told<'_>) -> Result<Fate, String> {
    let planned = if told.post.kind == Kind::Commented {
        COMMENTS
    } else {
        0
    };
    if told.children.len() != planned {
        return Err(format!("has {} comments and not {planned}", told.children.len()));
    }
    let mut fate = Fate::Published;
    for (place, child) in told.children.iter().enumerate() {
        let times = times_written(told, place);
        let why = child["errorText"].as_str().unwrap_or_default();
        match (child["state"].as_str().unwrap_or_default(), times) {
            ("PUBLISHED", 1) => {}
            ("ACTION_REQUIRED", _) if told.past.was_restored && why.starts_with(RESTORED_COMMENT) => {
                fate = Fate::Parked(match times {
                    0 => "out, and a comment of it was restored and is not there",
                    _ => "out, and a comment of it was restored and is there",
                });
            }
            ("ACTION_REQUIRED", _) if why.starts_with("It is unknown whether") => {
                fate = Fate::Parked("out, and a comment of it is unknown");
            }
            (state, times) => {
                return Err(format!(
                    "its comment {place} is {state} and there {times} times: {why}"
                ));
            }
        }
    }
    Ok(fate)
}

fn waits(told: Told<'_>, text: &str) -> Result<Fate, String> {
    match text {
        _ if text.starts_with("It is unknown whether") => Ok(Fate::Parked(match told.out {
            [] => "unknown, and is not out",
            _ => "unknown, and is out",
        })),
        _ if told.past.was_restored && text.starts_with(RESTORED) => {
            Ok(Fate::Parked(match (told.out, told.drafts) {
                ([], 0) => "restored, and is not out",
                ([], _) => "restored, and is in an inbox",
                _ => "restored, and is out",
            }))
        }
        _ if text.contains("in the creator's inbox") && told.drafts == 1 => {
            Ok(Fate::Parked("in the inbox, as far as the service heard"))
        }
        _ => Err(format!("waits for: {text}")),
    }
}

fn queued(told: Told<'_>, text: &str) -> Result<Fate, String> {
    match told.post.is_for_inbox() && told.out.is_empty() && told.drafts == 0 {
        true => Ok(Fate::Parked("waits for room in the inbox")),
        false => Err(format!("still QUEUE: {text}")),
    }
}

/// An end without a publication, for a reason that lies in what was done to the run.
fn ended(told: Told<'_>, text: &str) -> Result<Fate, String> {
    if !told.out.is_empty() || told.drafts > 0 {
        return Err(format!("says ERROR and is out: {text}"));
    }
    match text {
        _ if told.post.kind == Kind::Doomed && text.contains("spam_risk_text") => {
            Ok(Fate::Parked("refused, as planned"))
        }
        _ => Err(format!("ended: {text}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::posts;
    use serde_json::json;

    fn post(kind: Kind) -> Post {
        Post {
            kind,
            ..posts::plan(1, (1, 1), 1).remove(0)
        }
    }

    fn fate(kind: Kind, root: &Value, out: &[Value], drafts: usize) -> Fate {
        judge(Told {
            post: &post(kind),
            roots: std::slice::from_ref(root),
            children: &[],
            out,
            drafts,
            past: Past::default(),
        })
    }

    #[test]
    fn a_post_that_is_out_once_and_known_to_be_is_published() {
        let out = [json!({ "postId": "7" })];
        let said = |release: Value| json!({ "state": "PUBLISHED", "releaseId": release });
        assert_eq!(fate(Kind::Clip, &said(json!("7")), &out, 0), Fate::Published);
        assert_eq!(fate(Kind::Clip, &said(Value::Null), &out, 0), Fate::Published);
        assert!(fate(Kind::Clip, &said(json!("8")), &out, 0).is_wrong());
        assert!(fate(Kind::Clip, &said(json!("7")), &[], 0).is_wrong());
    }

    #[test]
    fn a_post_that_is_out_twice_is_a_duplicate_whatever_it_says() {
        let out = [json!({ "postId": "7" }), json!({ "postId": "8" })];
        for state in ["PUBLISHED", "ACTION_REQUIRED", "ERROR", "QUEUE"] {
            let said = json!({ "state": state, "releaseId": "7" });
            assert!(
                matches!(fate(Kind::Clip, &said, &out, 0), Fate::Duplicate(_)),
                "{state}"
            );
        }
        let said = json!({ "state": "ACTION_REQUIRED", "errorText": "" });
        assert!(matches!(
            fate(Kind::InboxPhotos, &said, &[], 2),
            Fate::Duplicate(_)
        ));
    }

    #[test]
    fn a_post_may_wait_where_nobody_can_know_but_not_for_anything_else() {
        let waits = |text: &str| json!({ "state": "ACTION_REQUIRED", "errorText": text });
        let unknown = waits("It is unknown whether the provider published this post. Look.");
        assert!(!fate(Kind::Photos, &unknown, &[], 0).is_wrong());
        assert!(fate(Kind::Photos, &waits("Reconnect the account."), &[], 0).is_wrong());
        assert!(
            fate(
                Kind::Photos,
                &waits("The post is in the creator's inbox."),
                &[],
                0
            )
            .is_wrong()
        );
    }

    #[test]
    fn an_error_must_be_explained_and_nothing_may_be_out() {
        let error = |text: &str| json!({ "state": "ERROR", "errorText": text });
        assert!(!fate(Kind::Doomed, &error("No (spam_risk_text)"), &[], 0).is_wrong());
        assert!(fate(Kind::Clip, &error("No (spam_risk_text)"), &[], 0).is_wrong());
        let out = [json!({ "postId": "7" })];
        assert!(fate(Kind::Photos, &error("photo_pull_failed"), &out, 0).is_wrong());
    }

    #[test]
    fn a_post_that_is_still_waiting_or_gone_is_lost() {
        assert!(fate(Kind::Clip, &json!({ "state": "QUEUE" }), &[], 0).is_wrong());
        let full = json!({ "state": "QUEUE", "errorText": "Five wait. (spam_risk_too_many_pending_share)" });
        assert!(!fate(Kind::InboxPhotos, &full, &[], 0).is_wrong());
        assert!(
            fate(Kind::InboxPhotos, &full, &[], 1).is_wrong(),
            "it is in the inbox"
        );
        assert!(fate(Kind::Clip, &full, &[], 0).is_wrong(), "it goes to no inbox");
        let gone = judge(Told {
            post: &post(Kind::Clip),
            roots: &[],
            children: &[],
            out: &[],
            drafts: 0,
            past: Past::default(),
        });
        assert!(gone.is_wrong());
    }

    #[test]
    fn a_comment_is_under_its_post_once_if_the_service_says_so_and_a_lost_one_may_wait() {
        let post = post(Kind::Commented);
        let root = json!({ "state": "PUBLISHED", "releaseId": "7" });
        let fate = |states: [&str; COMMENTS], written: &[usize]| {
            let written: Vec<Value> = written
                .iter()
                .map(|place| json!({ "text": post.comment(*place) }))
                .collect();
            let text = "It is unknown whether the provider published this comment. Look.";
            judge(Told {
                post: &post,
                roots: std::slice::from_ref(&root),
                children: &states.map(|state| json!({ "state": state, "errorText": text })),
                out: &[json!({ "postId": "7", "comments": written })],
                drafts: 0,
                past: Past::default(),
            })
        };
        assert_eq!(fate(["PUBLISHED", "PUBLISHED"], &[0, 1]), Fate::Published);
        assert!(matches!(
            fate(["PUBLISHED", "ACTION_REQUIRED"], &[0]),
            Fate::Parked(_)
        ));
        assert!(matches!(
            fate(["PUBLISHED", "PUBLISHED"], &[0, 0, 1]),
            Fate::Duplicate(_)
        ));
        assert!(matches!(fate(["PUBLISHED", "PUBLISHED"], &[0]), Fate::Lost(_)));
        assert!(matches!(fate(["PUBLISHED", "ERROR"], &[0, 1]), Fate::Lost(_)));
        assert!(matches!(fate(["PUBLISHED", "QUEUE"], &[0]), Fate::Lost(_)));
    }

    #[test]
    fn a_request_that_made_two_posts_is_a_duplicate_although_only_one_is_out() {
        let out = [json!({ "postId": "7" })];
        let roots = [
            json!({ "state": "PUBLISHED", "releaseId": "7" }),
            json!({ "state": "ERROR" }),
        ];
        let told = Told {
            post: &post(Kind::Clip),
            roots: &roots,
            children: &[],
            out: &out,
            drafts: 0,
            past: Past::default(),
        };
        assert!(matches!(judge(told), Fate::Duplicate(_)));
    }

    fn after_a_restore(kind: Kind, roots: &[Value], out: &[Value]) -> Fate {
        judge(Told {
            post: &post(kind),
            roots,
            children: &[],
            out,
            drafts: 0,
            past: Past {
                was_restored: true,
                may_be_forgotten: true,
            },
        })
    }

    #[test]
    fn a_restored_post_may_wait_for_a_person_where_a_copy_was_put_back() {
        let text = format!("{RESTORED}may have gone out after the copy was made. Look.");
        let root = json!({ "state": "ACTION_REQUIRED", "errorText": text });
        assert!(
            fate(Kind::Clip, &root, &[], 0).is_wrong(),
            "without a restore it has no reason"
        );
        let out = json!({ "postId": "7" });
        let waits = |out: &[Value]| after_a_restore(Kind::Clip, std::slice::from_ref(&root), out);
        assert_eq!(waits(&[]), Fate::Parked("restored, and is not out"));
        assert_eq!(
            waits(std::slice::from_ref(&out)),
            Fate::Parked("restored, and is out")
        );
        assert!(matches!(waits(&[out.clone(), out]), Fate::Duplicate(_)));
    }

    #[test]
    fn a_post_that_a_restore_forgot_is_not_lost_but_may_not_be_out_twice() {
        let out = json!({ "postId": "7" });
        assert!(!after_a_restore(Kind::Clip, &[], &[]).is_wrong());
        assert!(!after_a_restore(Kind::Clip, &[], std::slice::from_ref(&out)).is_wrong());
        assert!(matches!(
            after_a_restore(Kind::Clip, &[], &[out.clone(), out]),
            Fate::Duplicate(_)
        ));
    }

    #[test]
    fn a_post_whose_publishing_a_restore_forgot_is_a_draft_again() {
        let draft = json!({ "state": "DRAFT" });
        assert!(fate(Kind::Clip, &draft, &[], 0).is_wrong());
        let restored = |out: &[Value]| after_a_restore(Kind::Clip, std::slice::from_ref(&draft), out);
        assert!(!restored(&[]).is_wrong());
        let out = json!({ "postId": "7" });
        assert!(!restored(std::slice::from_ref(&out)).is_wrong());
        assert!(matches!(restored(&[out.clone(), out]), Fate::Duplicate(_)));
    }

    #[test]
    fn a_comment_that_is_there_twice_is_a_duplicate_whatever_its_post_says() {
        let post = post(Kind::Commented);
        let written = json!({ "text": post.comment(0) });
        let out = json!({ "postId": "7", "comments": [written, written] });
        for state in ["PUBLISHED", "ACTION_REQUIRED", "QUEUE"] {
            let root = json!({ "state": state });
            let fate = after_a_restore(Kind::Commented, &[root], std::slice::from_ref(&out));
            assert!(matches!(fate, Fate::Duplicate(_)), "{state}");
        }
    }
}
