//! What people do: the creator posts the drafts from the inbox; the owner of an account reconnects it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::posts::{self, Post};
use super::stage::Stage;
use crate::bench::simulator::Control;
use crate::bench::world::text;
use crate::failure::Outcome;

/// How often the creator looks into the inbox.
const LOOK_EVERY: Duration = Duration::from_millis(400);

/// Posts whatever arrives in an inbox, until `stop` is set.
///
/// # Errors
/// When the simulator does not answer.
pub fn post_drafts(mut simulator: Control, posts: &[Post], stop: &AtomicBool) -> Outcome<()> {
    while !stop.load(Ordering::Relaxed) {
        thread::sleep(LOOK_EVERY);
        let inbox = simulator.ask("GET", "/sim/inbox", &Value::Null)?;
        for draft in inbox
            .as_array()
            .into_iter()
            .flatten()
            .filter(|draft| draft["postedAt"].is_null())
        {
            let caption =
                posts::of_draft(draft, posts).map_or_else(String::new, |number| posts[number].caption());
            let path = format!("/sim/inbox/{}/finish", text(&draft["publishId"])?);
            simulator.ask("POST", &path, &json!({ "caption": caption }))?;
        }
    }
    Ok(())
}

/// Connects an account again, which is not connected as a business: those never lose their tokens. Requests that hang are let go on first, and
/// media are brought back: connecting waits for both, and whatever comes after it waits for this.
///
/// # Errors
/// As [`Stage::connect`].
pub fn reconnect(stage: &Stage, account: usize) -> Outcome<()> {
    stage.bring_media_back()?;
    stage
        .simulator
        .control()?
        .ask("POST", "/sim/release", &json!({}))?;
    stage.connect(account, "creator").map(drop)
}
