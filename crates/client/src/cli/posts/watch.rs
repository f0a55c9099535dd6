//! `posts watch`, and `--wait`: polls at growing intervals until a post has left the queue.

use std::time::Duration;

use playout_client::{Api, CreateResults, Error, Group, Kind, Post, Reply, SystemClock};
use playout_domain::time::{Clock, Time};
use serde_json::Value;

use super::{results, show};
use crate::cli::bars::Spinner;
use crate::cli::moment::{here, read_length};
use crate::cli::report::{Outcome, Report};
use crate::cli::screen::clean;
use crate::cli::session::Session;

const FIRST_LOOK: Duration = Duration::from_millis(300);
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// How long to wait for the link of a public post, which usually follows within moments.
const LINK_PATIENCE: Duration = Duration::from_secs(5);

/// Whether to wait for a post.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Wait {
    /// Wait until it has left the queue, as `posts watch` does.
    #[arg(long)]
    wait: bool,
    /// With --wait: stop waiting after this time, such as 90s, 10m or 2h.
    #[arg(long, value_name = "LENGTH", default_value = "30m")]
    timeout: String,
}

impl Wait {
    pub(super) fn is_wanted(&self) -> bool {
        self.wait
    }
}

pub(super) async fn run(session: &Session, api: &Api, (id, timeout): (&str, &str)) -> Outcome {
    let end = SystemClock.now().plus(read_length(timeout)?);
    let reply = settled(session, api, id, end).await?;
    Ok(told(session, reply))
}

/// Waits for a post if `--wait` is given.
pub(super) async fn maybe(session: &Session, api: &Api, wait: &Wait, reply: Reply<Group>) -> Outcome {
    if !wait.wait {
        return Ok(show::group(&session.screen, reply));
    }
    run(session, api, (&reply.value.root.id, &wait.timeout)).await
}

/// Waits for all posts that a request created; the document is its response, with each post in its final state.
pub(super) async fn created(
    session: &Session,
    api: &Api,
    wait: &Wait,
    reply: Reply<CreateResults>,
) -> Outcome {
    let end = SystemClock.now().plus(read_length(&wait.timeout)?);
    let (mut json, mut error) = (reply.json, results::refused(&reply.value.results));
    let mut is_any_published = false;
    for (at, result) in reply.value.results.iter().enumerate() {
        let Some(group) = &result.post else { continue };
        // The created posts are reported even if waiting fails.
        match settled(session, api, &group.root.id, end).await {
            Ok(settled) => {
                let failure = verdict(&settled.value.root);
                is_any_published |= failure.is_none();
                error = error.or(failure);
                json["results"][at]["post"] = settled.json;
            }
            Err(failed) => error = error.or(Some(failed)),
        }
    }
    let error = error.map(|error| error.with_done(is_any_published));
    let reply: Reply<CreateResults> = Reply::read(json)?;
    let groups = reply
        .value
        .results
        .iter()
        .filter_map(|result| result.post.as_ref());
    let mut texts: Vec<String> = groups
        .map(|group| show::describe(&session.screen, group, None))
        .collect();
    texts.insert(0, show::results(&session.screen, &reply.value));
    let json: Value = reply.json;
    Ok(Report::new(json, texts.join("\n\n")).but(error))
}

fn told(session: &Session, reply: Reply<Group>) -> Report {
    let error = verdict(&reply.value.root);
    show::group(&session.screen, reply).but(error)
}

/// The error of a post's final state; `None` if it is published.
fn verdict(root: &Post) -> Option<Error> {
    let why = |otherwise: &str| root.error_text.clone().unwrap_or_else(|| otherwise.to_owned());
    let (code, message) = match root.state.as_str() {
        "PUBLISHED" => return None,
        "QUEUE" => ("still_queued", still_queued(root)),
        "DRAFT" => (
            "post_is_draft",
            "The post is a draft: it is not published until it is scheduled.".to_owned(),
        ),
        "ACTION_REQUIRED" => ("post_action_required", why("The post requires action.")),
        _ => ("post_failed", why("The post failed.")),
    };
    Some(Error::new(Kind::Refused, code, message))
}

fn still_queued(root: &Post) -> String {
    let what = match root.scheduled_for {
        Some(at) => format!("The post is still queued, for {}.", here().show(at)),
        None => "The post is still being published.".to_owned(),
    };
    match &root.error_text {
        Some(why) => format!("{what} {why}"),
        None => what,
    }
}

/// Whether it is public and the provider has not reported its address yet.
fn waits_for_link(root: &Post) -> bool {
    root.state == "PUBLISHED"
        && root.release_url.is_none()
        && root
            .settings
            .get("privacy_level")
            .is_some_and(|level| level == "PUBLIC_TO_EVERYONE")
}

fn saying(root: &Post, now: Time) -> String {
    match root.scheduled_for.filter(|at| *at > now) {
        _ if root.state == "PUBLISHED" => "is published; waiting for its link".to_owned(),
        Some(at) => format!("waits for {}", here().show(at)),
        None => format!(
            "is being published: {}",
            clean(root.error_text.as_deref().unwrap_or("publishing"))
        ),
    }
}

/// Long before its time, the interval is long; near it, short again.
fn until_next_look(root: &Post, now: Time, pause: Duration) -> Duration {
    let until_due = root.scheduled_for.map_or(Duration::ZERO, |at| at.since(now));
    match until_due.is_zero() {
        true => pause,
        false => until_due.min(LONGEST_WAIT * 3),
    }
}

/// The post after it has left the queue and, if it is public, has its link; or its state at `end`.
async fn settled(session: &Session, api: &Api, id: &str, end: Time) -> Result<Reply<Group>, Error> {
    let spinner = Spinner::new(&session.screen);
    let (mut pause, mut end) = (FIRST_LOOK, end);
    let mut was_out = false;
    let mut reply = api.post_group(id).await?;
    session.interrupts.watch(&session.screen);
    session.interrupts.next(format!(
        "The post goes on without this program: `playout posts watch {id}` waits for it again."
    ));
    loop {
        let now = SystemClock.now();
        let root = &reply.value.root;
        if waits_for_link(root) && !was_out {
            (was_out, pause, end) = (true, FIRST_LOOK, end.min(now.plus(LINK_PATIENCE)));
        }
        let left = end.since(now);
        let is_on_its_way = root.state == "QUEUE" || waits_for_link(root);
        if !is_on_its_way || left.is_zero() {
            return Ok(reply);
        }
        spinner.say(saying(root, now));
        tokio::time::sleep(until_next_look(root, now, pause).min(left)).await;
        pause = (pause * 3 / 2).min(LONGEST_WAIT);
        // The post continues regardless of this client: a lost connection is not the end.
        match api.post_group(id).await {
            Ok(now) => reply = now,
            Err(error) if matches!(error.kind, Kind::Network | Kind::Server) => spinner.say(error.message),
            Err(error) => return Err(error),
        }
    }
}
