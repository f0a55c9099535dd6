//! After the last kill: everything works again, and the remaining posts have time to reach their final state.

use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::judge::{RESTORED, waits_for_room};
use super::nodes::Nodes;
use super::operator::Operator;
use super::person;
use super::posts::{self, Post};
use super::shown::{comments_on_their_way, list};
use super::stage::Stage;
use crate::failure::Outcome;
use crate::machine::now;

/// How often to look.
const PAUSE: Duration = Duration::from_secs(1);
/// After how many looks to print the progress.
const SAY_EVERY: usize = 20;
/// The looks for a post whose handle was lost take two minutes; one that the provider lost four times waits for up to twelve.
const AT_LEAST: Duration = Duration::from_secs(900);
/// A link is queried less and less often: the run does not wait for the last of them.
const FOR_INBOXES: Duration = Duration::from_secs(45);
/// What a text of a post that waits for its account has in it.
const RECONNECT: [&str; 2] = ["econnect", "connect it"];

/// Waits until no post is in QUEUE but for room in an inbox, none waits for its account, none is in an inbox, and the operator
/// has decided about those that restores left to a person, or for as long as the longest backoff can last after kills that lasted so long. Accounts that must be reconnected are, whenever a
/// post waits for it.
///
/// # Errors
/// When no node answers.
pub fn settle(
    stage: &Stage,
    nodes: &mut Nodes<'_>,
    operator: &mut Operator<'_>,
    killed_for: Duration,
) -> Outcome<usize> {
    let (began, posts) = (now(), operator.posts());
    let (mut empty_since, mut reconnected, mut rounds) = (None, 0, 0);
    while began.elapsed() < AT_LEAST + killed_for.mul_f64(1.5) {
        nodes.fill()?;
        let comes_yet = |posts: Vec<Value>| {
            let of_the_run = |post: &&Value| post["content"].as_str().and_then(posts::marked).is_some();
            posts
                .iter()
                .filter(of_the_run)
                .filter(|post| !waits_for_room(post))
                .count()
        };
        let queued = list(stage, "state=QUEUE").map_or(1, comes_yet);
        let waiting = list(stage, "state=ACTION_REQUIRED").unwrap_or_default();
        let accounts = waiting_accounts(&waiting, posts);
        for account in &accounts {
            // A node that is just starting does not answer; the next round tries again.
            reconnected += usize::from(person::reconnect(stage, *account).is_ok());
        }
        let undecided = operator.attend().unwrap_or(1);
        if queued > 0
            || undecided > 0
            || !accounts.is_empty()
            || comments_on_their_way(stage, posts).unwrap_or(true)
        {
            empty_since = None;
        } else {
            let since = *empty_since.get_or_insert_with(now);
            let in_inbox = |post: &&Value| said(post).contains("in the creator's inbox");
            if waiting.iter().find(in_inbox).is_none() || since.elapsed() > FOR_INBOXES {
                return Ok(reconnected);
            }
        }
        if rounds % SAY_EVERY == 0 {
            println!(
                "  {queued} in QUEUE, {} wait for a person, {undecided} of them for the operator",
                waiting.len()
            );
        }
        rounds += 1;
        thread::sleep(PAUSE);
    }
    Ok(reconnected)
}

/// Connects every account again for which a post waits; returns how many. A node that is just starting does not answer: a
/// later call tries again.
pub fn reconnect(stage: &Stage, posts: &[Post]) -> usize {
    let waiting = list(stage, "state=ACTION_REQUIRED").unwrap_or_default();
    let accounts = waiting_accounts(&waiting, posts);
    accounts
        .into_iter()
        .filter(|account| person::reconnect(stage, *account).is_ok())
        .count()
}

/// The accounts for which a post waits, as numbers.
fn waiting_accounts(waiting: &[Value], posts: &[Post]) -> Vec<usize> {
    // Those that restores have left are the operator's, who connects their accounts.
    let is_restored = |post: &Value| said(post).starts_with(RESTORED);
    let waits = |post: &&Value| RECONNECT.iter().any(|word| said(post).contains(word)) && !is_restored(post);
    let account = |post: &Value| Some(posts.get(posts::marked(post["content"].as_str()?)?)?.account);
    let mut accounts: Vec<usize> = waiting.iter().filter(waits).filter_map(account).collect();
    accounts.sort_unstable();
    accounts.dedup();
    accounts
}

fn said(post: &Value) -> &str {
    post["errorText"].as_str().unwrap_or_default()
}
