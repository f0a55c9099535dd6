//! The provider's faults, as requests to the simulator's control API (`docs/simulator.md`).

use serde_json::{Value, json};

use super::chance::Chance;
use crate::bench::simulator::Control;
use crate::failure::Outcome;

/// One request to the control API.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    method: &'static str,
    path: String,
    body: Value,
}

/// The first accounts lose their tokens now and then, and some of them their grant; the others never do.
pub const FRAIL: usize = 8;
/// What is called to hand a post over.
const INITS: [&str; 3] = ["video_init", "inbox_init", "content_init"];
/// Captions with this word are refused, for ever.
pub const DOOMED: &str = "#doomed";

impl Trouble {
    fn new(method: &'static str, path: impl Into<String>, body: Value) -> Self {
        Self {
            method,
            path: path.into(),
            body,
        }
    }

    fn fault(endpoint: &str, times: u64, action: Value) -> Self {
        Self::new(
            "POST",
            "/sim/faults",
            json!({ "endpoint": endpoint, "times": times, "action": action }),
        )
    }

    fn knobs(knobs: Value) -> Self {
        Self::new("PATCH", "/sim/knobs", knobs)
    }

    /// Makes it happen.
    ///
    /// # Errors
    /// When the simulator does not understand it.
    pub fn befall(&self, simulator: &mut Control) -> Outcome<()> {
        simulator.ask(self.method, &self.path, &self.body).map(drop)
    }
}

/// The simulator's name for an account.
pub fn open_id(account: usize) -> String {
    format!("bench-{account:03}")
}

/// Whether processes seldom come to a point.
pub fn is_remote(point: &str) -> bool {
    point.starts_with("refresh.") || point.ends_with("_first_chunk") || point.ends_with("_revoke")
}

/// What sends a process by a point that it would seldom come to by itself.
pub fn that_lead_to(point: &str, accounts: usize) -> Vec<Trouble> {
    let lost = json!({ "do": "dropAfter" });
    match point.split('.').next_back().unwrap_or_default() {
        "before_revoke" | "after_revoke" => INITS
            .map(|endpoint| Trouble::fault(endpoint, 2, lost.clone()))
            .to_vec(),
        _ if point.starts_with("refresh.") => (0..FRAIL.min(accounts)).map(expire).collect(),
        _ => Vec::new(),
    }
}

/// Some trouble, and what ends it: each with the milliseconds until then.
pub fn any(chance: &mut Chance, accounts: usize) -> Vec<(u64, Trouble)> {
    let now = |trouble| vec![(0, trouble)];
    match chance.below(20) {
        0..=3 => now(lost_answer(chance)),
        4..=6 => now(failing(chance)),
        7 => now(throttled(chance)),
        8..=10 => held(chance),
        11..=12 => now(Trouble::knobs(
            json!({ "pullDelayMs": chance.one_of(&[0, 50, 400, 3000]) }),
        )),
        13 => now(Trouble::knobs(json!({
            "processingMs": chance.one_of(&[0, 300, 2000]), "moderationMs": chance.one_of(&[0, 1000, 20_000])
        }))),
        14..=15 => now(expire(frail(chance, accounts))),
        16 => refused_refresh(chance, accounts),
        17 => now(storm(chance)),
        18 => now(false_alarm(chance, accounts)),
        _ => now(rare(chance, accounts)),
    }
}

/// The work is done, but its answer is lost; or it is not done, which looks the same to the client.
fn lost_answer(chance: &mut Chance) -> Trouble {
    let endpoint = chance.one_of(&[
        "video_init",
        "inbox_init",
        "content_init",
        "upload",
        "upload_last",
        "status",
        "business_video",
        "comment_create",
    ]);
    let action = chance.one_of(&["dropAfter", "dropAfter", "drop"]);
    Trouble::fault(endpoint, chance.between(1, 4), json!({ "do": action }))
}

fn failing(chance: &mut Chance) -> Trouble {
    let endpoint = chance.one_of(&[
        "video_init",
        "content_init",
        "upload_last",
        "status",
        "creator_info",
        "video_list",
        "business_video",
        "business_status",
        "comment_create",
        "comment_list",
    ]);
    let action = match chance.below(3) {
        0 => json!({ "do": "html", "status": chance.one_of(&[502, 503, 504]) }),
        1 => json!({ "do": "answer", "status": 500, "code": "internal_error", "message": "" }),
        _ => json!({ "do": "answerAfter", "status": 500, "code": "internal_error", "message": "" }),
    };
    Trouble::fault(endpoint, chance.between(1, 5), action)
}

fn throttled(chance: &mut Chance) -> Trouble {
    let endpoint = chance.one_of(&["video_init", "content_init", "status", "creator_info"]);
    let action = json!({ "do": "answer", "status": 429, "code": "rate_limit_exceeded", "message": "" });
    Trouble::fault(endpoint, chance.between(1, 4), action)
}

/// Requests hang, before or after their work, for longer than a process runs.
fn held(chance: &mut Chance) -> Vec<(u64, Trouble)> {
    let endpoint = chance.one_of(&[
        "video_init",
        "content_init",
        "upload_last",
        "status",
        "creator_info",
        "comment_create",
    ]);
    let point = chance.one_of(&["before", "after"]);
    let lasts = chance.between(100, 2500);
    vec![
        (
            0,
            Trouble::new(
                "POST",
                "/sim/hold",
                json!({ "endpoint": endpoint, "point": point }),
            ),
        ),
        (
            lasts,
            Trouble::new("POST", "/sim/release", json!({ "endpoint": endpoint })),
        ),
    ]
}

fn frail(chance: &mut Chance, accounts: usize) -> usize {
    usize::try_from(chance.below(FRAIL.min(accounts) as u64)).unwrap_or(0)
}

fn expire(account: usize) -> Trouble {
    Trouble::new(
        "POST",
        format!("/sim/accounts/{}/expire-token", open_id(account)),
        json!({}),
    )
}

/// The account must be reconnected.
fn refused_refresh(chance: &mut Chance, accounts: usize) -> Vec<(u64, Trouble)> {
    let account = frail(chance, accounts);
    let fault = json!({
        "endpoint": "token_refresh", "account": open_id(account),
        "action": { "do": "answer", "status": 400, "code": "invalid_grant", "message": "" }
    });
    vec![
        (0, Trouble::new("POST", "/sim/faults", fault)),
        (0, expire(account)),
    ]
}

/// Events come late, many times, in the wrong order.
fn storm(chance: &mut Chance) -> Trouble {
    Trouble::knobs(json!({
        "webhookCopies": chance.one_of(&[1, 1, 3, 8]), "webhookReorder": chance.happens(40),
        "webhookDelayMs": chance.one_of(&[0, 0, 200, 4000])
    }))
}

/// The provider reports that an account revoked its permission, which it did not.
fn false_alarm(chance: &mut Chance, accounts: usize) -> Trouble {
    let account = usize::try_from(chance.below(accounts as u64)).unwrap_or(0);
    let event = json!({
        "event": "authorization.removed", "openId": open_id(account), "content": { "reason": 1 }
    });
    Trouble::new("POST", "/sim/webhooks", event)
}

/// An account takes its permission back; a post fails in processing; no token can be had for a while.
fn rare(chance: &mut Chance, accounts: usize) -> Trouble {
    match chance.below(3) {
        0 => {
            let account = open_id(frail(chance, accounts));
            Trouble::new("POST", format!("/sim/accounts/{account}/revoke"), json!({}))
        }
        1 => Trouble::new("POST", "/sim/fates", json!({ "reason": "internal", "times": 1 })),
        _ => Trouble::fault("token_refresh", 2, json!({ "do": "html", "status": 503 })),
    }
}

/// What makes captions with [`DOOMED`] fail.
pub fn doom() -> Trouble {
    Trouble::new(
        "POST",
        "/sim/fates",
        json!({ "reason": "spam_risk_text", "captionContains": DOOMED }),
    )
}

/// The simulator at the start of a run.
pub fn beginning(webhooks_to: &str) -> Trouble {
    Trouble::knobs(json!({
        "journalLimit": 2_000_000, "processingMs": 300, "pullDelayMs": 50, "webhookUrl": webhooks_to
    }))
}

/// What ends all troubles; posts that are doomed stay so.
pub fn calm() -> [Trouble; 5] {
    [
        Trouble::new("DELETE", "/sim/faults", Value::Null),
        Trouble::new("DELETE", "/sim/fates", Value::Null),
        doom(),
        Trouble::new("POST", "/sim/release", json!({})),
        Trouble::knobs(json!({
            "processingMs": 0, "pullDelayMs": 0, "moderationMs": 0, "webhookCopies": 1, "webhookReorder": false,
            "webhookDelayMs": 0
        })),
    ]
}
