//! What a person does about the posts that a restore left to them: looks whether each is out, and marks it as published or
//! publishes it. Every other post is left alone, so that its state can be judged too.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::judge::{RESTORED, RESTORED_COMMENT};
use super::person;
use super::posts::{self, Kind, Post};
use super::provider::{by_number, list};
use super::shown;
use super::stage::Stage;
use crate::bench::http::{Answer, Connection, Request};
use crate::bench::simulator::Control;
use crate::bench::world::text;
use crate::failure::{Doing, Outcome};
use crate::machine::now;

/// Part of the error text of a rejected publication when the account must be connected again first.
const MUST_BE_RECONNECTED: &str = "needs reconnecting";

/// A person, and what they have seen.
#[derive(Debug)]
pub struct Attendant<'a> {
    stage: &'a Stage,
    /// How long they wait before they decide: what was on its way to the provider has arrived by then.
    patience: Duration,
    /// Since when a post waits for them.
    seen: BTreeMap<String, Instant>,
    /// How often they decided what.
    pub tally: Tally,
}

/// What was decided, by how often.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Posts marked as published.
    pub marked: usize,
    /// Posts published again.
    pub published: usize,
    /// Comments marked as published.
    pub comments: usize,
}

/// What the provider has.
struct Account {
    out: BTreeMap<usize, Vec<Value>>,
    drafts: BTreeMap<usize, Vec<Value>>,
}

impl<'a> Attendant<'a> {
    /// A person who has seen nothing yet.
    pub fn new(stage: &'a Stage, patience: Duration) -> Self {
        Self {
            stage,
            patience,
            seen: BTreeMap::new(),
            tally: Tally::default(),
        }
    }

    /// Forgets what was seen: after another restore the wait begins anew.
    pub fn begin_anew(&mut self) {
        self.seen.clear();
    }

    /// Looks once at everything that waits, and decides what has waited long enough and `may_be_decided`. Answers how many
    /// posts are still to be decided.
    ///
    /// # Errors
    /// When neither the service nor the simulator answers.
    pub fn attend(
        &mut self,
        control: &mut Control,
        posts: &[Post],
        may_be_decided: impl Fn(&Post) -> bool,
    ) -> Outcome<usize> {
        let waiting = shown::list(self.stage, "state=ACTION_REQUIRED")?;
        let account = Account {
            out: by_number(&list(control, "/sim/publications")?, |one| {
                posts::marked(one["caption"].as_str()?)
            }),
            drafts: by_number(&list(control, "/sim/inbox")?, |one| posts::of_draft(one, posts)),
        };
        let mut left = 0;
        for root in waiting.iter().filter(|root| begins_with(root, RESTORED)) {
            let number = root["content"].as_str().and_then(posts::marked);
            let Some(post) = posts.iter().find(|post| Some(post.number) == number) else {
                continue;
            };
            if is_theirs(post) && may_be_decided(post) {
                left += 1;
                if self.has_waited(&text(&root["id"])?) {
                    self.decide(post, root, &account)?;
                }
            }
        }
        let roots = shown::all(self.stage)?;
        let theirs = |post: &&Post| post.kind == Kind::Commented && is_theirs(post);
        for post in posts.iter().filter(theirs) {
            let roots = roots.get(&post.number).map_or(&[][..], Vec::as_slice);
            let out = account.out.get(&post.number).map(Vec::as_slice);
            if let Some([one]) = out
                && roots.iter().any(|root| root["state"] == "PUBLISHED")
            {
                left += self.mark_comments(post, roots, one)?;
            }
        }
        Ok(left)
    }

    fn has_waited(&mut self, id: &str) -> bool {
        let since = *self.seen.entry(id.to_owned()).or_insert_with(now);
        since.elapsed() >= self.patience
    }

    fn decide(&mut self, post: &Post, root: &Value, account: &Account) -> Outcome<()> {
        let id = text(&root["id"])?;
        let out = account.out.get(&post.number).map_or(&[][..], Vec::as_slice);
        let is_there = !out.is_empty() || account.drafts.contains_key(&post.number);
        let (verb, body) = match (is_there, out) {
            (true, [one]) => ("mark-published", named(post, one)),
            (true, _) => ("mark-published", json!({})),
            (false, _) => ("publish", json!({})),
        };
        let answer = self.ask(&id, verb, &body)?;
        self.stage
            .note(&format!("{} {id}: {verb}: {}", post.marker(), answer.status));
        match answer.status {
            200 => {
                self.seen.remove(&id);
                match is_there {
                    true => self.tally.marked += 1,
                    false => self.tally.published += 1,
                }
            }
            // A copy has the tokens of its time: what the provider has renewed since, it no longer takes. A node that is just
            // starting does not answer; the next look tries again.
            400 if answer.text().contains(MUST_BE_RECONNECTED) => {
                let connected = person::reconnect(self.stage, post.account);
                let outcome = if connected.is_ok() {
                    "connected again"
                } else {
                    "not connected"
                };
                self.stage.note(&format!("account {}: {outcome}", post.account));
            }
            // Another node may have changed it, or one that was killed has done it and did not answer.
            _ => {}
        }
        Ok(())
    }

    /// Marks the comments that are there; those that are not stay with the person. Answers how many are there and not marked yet.
    fn mark_comments(&mut self, post: &Post, roots: &[Value], out: &Value) -> Outcome<usize> {
        let mut left = 0;
        for (place, child) in shown::children(self.stage, post, roots)?.iter().enumerate() {
            let comment = post.comment(place);
            let mut written = out["comments"].as_array().into_iter().flatten();
            let is_there = written.any(|one| one["text"] == comment.as_str());
            let waits = child["state"] == "ACTION_REQUIRED" && begins_with(child, RESTORED_COMMENT);
            let id = text(&child["id"])?;
            if !waits || !is_there {
                continue;
            }
            left += 1;
            if self.has_waited(&id) {
                let status = self.ask(&id, "mark-published", &json!({}))?.status;
                let marker = post.marker();
                self.stage
                    .note(&format!("comment {id} of {marker}: mark-published: {status}"));
                self.tally.comments += usize::from(status == 200);
            }
        }
        Ok(left)
    }

    fn ask(&self, id: &str, verb: &str, body: &Value) -> Outcome<Answer> {
        let mut connection = Connection::open(self.stage.proxy.address, &self.stage.seeded.key)?;
        connection
            .send(Request {
                method: "POST",
                path: &format!("/public/v1/posts/{id}/{verb}"),
                json: &body.to_string(),
            })
            .doing(verb)
    }
}

/// Whether they deal with a post at all.
fn is_theirs(post: &Post) -> bool {
    post.number.is_multiple_of(2)
}

/// For some posts the person names the release; always for those with comments, which are not written before it is known.
fn named(post: &Post, out: &Value) -> Value {
    let says = post.number.is_multiple_of(4) || post.kind == Kind::Commented;
    match says && post.is_public && !out["publicAt"].is_null() {
        true => json!({ "releaseId": out["postId"] }),
        false => json!({}),
    }
}

fn begins_with(post: &Value, text: &str) -> bool {
    post["errorText"]
        .as_str()
        .is_some_and(|error| error.starts_with(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_post_that_everybody_can_see_is_marked_by_its_number() {
        let post = |number, is_public| Post {
            number,
            is_public,
            kind: Kind::Clip,
            ..posts::plan(1, (1, 1), 1).remove(0)
        };
        let seen = json!({ "postId": "7", "publicAt": "2026-01-01T00:00:00.000Z" });
        assert_eq!(named(&post(4, true), &seen), json!({ "releaseId": "7" }));
        assert_eq!(named(&post(4, false), &seen), json!({}));
        assert_eq!(named(&post(2, true), &seen), json!({}));
        let commented = Post {
            kind: Kind::Commented,
            ..post(2, true)
        };
        assert_eq!(named(&commented, &seen), json!({ "releaseId": "7" }));
        let unseen = json!({ "postId": "7", "publicAt": null });
        assert_eq!(named(&post(4, true), &unseen), json!({}));
        assert!(is_theirs(&post(2, true)) && !is_theirs(&post(3, true)));
    }
}
