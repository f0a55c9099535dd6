//! `platforms health`: the problems that block an account's posts, and who must act.

use playout_client::{HealthProblem, PlatformHealth, WindowUsage};

use crate::cli::find;
use crate::cli::moment::here;
use crate::cli::report::{Outcome, Report};
use crate::cli::screen::{Colour, Screen, clean};
use crate::cli::session::Session;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Wanted {
    /// The account: its ID, handle or name.
    platform: String,
    /// Call the provider first.
    #[arg(long)]
    refresh: bool,
}

pub(super) async fn run(wanted: Wanted, session: &Session) -> Outcome {
    let api = session.api()?;
    let id = find::any_platform_id(&api, &wanted.platform).await?;
    let reply = api.platform_health(&id, wanted.refresh).await?;
    let text = describe(&session.screen, &reply.value);
    Ok(Report::new(reply.json, text))
}

fn describe(screen: &Screen, health: &PlatformHealth) -> String {
    let time = |time: Option<_>| time.map(|time| here().show(time));
    let missing: Vec<String> = health
        .scopes
        .iter()
        .filter(|scope| !scope.granted)
        .map(|scope| clean(&scope.scope))
        .collect();
    let unheard = health.refresh.as_ref().filter(|refresh| !refresh.answered);
    let mut lines = vec![screen.facts(&[
        ("Verdict", Some(verdict(screen, &health.verdict))),
        ("Access", Some(clean(&health.token.state))),
        ("Access ends", time(health.token.expires_at)),
        ("Renewed next", time(health.token.next_renewal_at)),
        ("Not granted", (!missing.is_empty()).then(|| missing.join(" "))),
        (
            "Posts in the last minute",
            Some(window(&health.limits.hand_overs)),
        ),
        ("Posts in 24 hours", Some(window(&health.limits.direct_posts))),
        ("In the inbox", Some(window(&health.limits.inbox_shares))),
        (
            "Not refreshed",
            unheard.and_then(|refresh| refresh.message.as_deref().map(clean)),
        ),
    ])];
    lines.extend(
        health
            .problems
            .iter()
            .map(|problem| problem_line(screen, problem)),
    );
    lines.join("\n")
}

fn verdict(screen: &Screen, verdict: &str) -> String {
    let colour = match verdict {
        "ok" => Colour::Good,
        "blocked" => Colour::Bad,
        _ => Colour::Careful,
    };
    screen.paint(colour, &clean(verdict))
}

fn problem_line(screen: &Screen, problem: &HealthProblem) -> String {
    let effect = verdict(screen, &problem.effect);
    let who = clean(&problem.who_acts);
    format!(
        "  {effect}: {} ({}; to act: {who})",
        clean(&problem.message),
        clean(&problem.code)
    )
}

/// The number used and the approximate limit.
pub(in crate::cli) fn window(window: &WindowUsage) -> String {
    match window.limit {
        Some(limit) => format!("{} of about {limit}", window.used),
        None => window.used.to_string(),
    }
}
