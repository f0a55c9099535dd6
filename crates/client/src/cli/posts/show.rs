//! Posts as text for people.

use playout_client::{Attempt, AttemptList, CreateResult, CreateResults, Explanation, Group, Post, Reply};

use crate::cli::find::Handles;
use crate::cli::moment::{Here, here};
use crate::cli::report::Report;
use crate::cli::screen::{Colour, Screen, brief, clean, issues};
use crate::cli::table::Column;

const ATTEMPTS: [Column; 6] = [
    Column::whole("BEGAN", 4),
    Column::whole("ENDED", 1),
    Column::whole("BY", 2),
    Column::whole("OUTCOME", 5),
    Column::whole("NEXT", 3),
    Column::wrap("WHY", 20, 6),
];

pub(super) fn group(screen: &Screen, reply: Reply<Group>) -> Report {
    let text = describe(screen, &reply.value, reply.etag.as_deref());
    Report::new(reply.json, text)
}

/// A post with its comments, and its version if that is known.
pub(super) fn describe(screen: &Screen, group: &Group, etag: Option<&str>) -> String {
    let (root, here) = (&group.root, here());
    let mut lines = vec![screen.facts(&[
        ("ID", Some(clean(&root.id))),
        ("State", Some(screen.state(&root.state))),
        ("Why", root.error_text.as_deref().map(clean)),
        ("Goes out", root.scheduled_for.map(|at| here.show(at))),
        ("Page", root.release_url.as_deref().map(clean)),
        ("Caption", Some(clean(&root.content))),
        (
            "Media",
            Some(root.media_ids.join(" ")).filter(|ids| !ids.is_empty()),
        ),
        ("Platform", Some(clean(&root.integration_id))),
        ("Settings", (!root.settings.is_empty()).then(|| settings(root))),
        ("Created", Some(here.show(root.created_at))),
        ("ETag", etag.map(clean)),
    ])];
    for child in &group.children {
        lines.push(format!(
            "  {}  {}",
            screen.state(&child.state),
            brief(&child.content, 80)
        ));
    }
    lines.join("\n")
}

fn settings(post: &Post) -> String {
    let pairs = post.settings.iter().map(|(key, value)| match value.as_str() {
        Some(text) => clean(&format!("{key}={text}")),
        None => clean(&format!("{key}={value}")),
    });
    pairs.collect::<Vec<_>>().join(" ")
}

pub(super) fn row(screen: &Screen, post: &Post, handles: &Handles, here: &Here) -> Vec<String> {
    vec![
        here.show(post.scheduled_for.unwrap_or(post.created_at)),
        screen.state(&post.state),
        handles.show(&post.integration_id),
        brief(&post.content, 40),
        clean(&post.id),
    ]
}

pub(super) fn results(screen: &Screen, results: &CreateResults) -> String {
    let lines = results.results.iter().map(|result| result_line(screen, result));
    lines.collect::<Vec<_>>().join("\n")
}

/// The result, with its warnings below.
fn result_line(screen: &Screen, result: &CreateResult) -> String {
    let mut line = outcome(screen, result);
    for warning in &result.warnings {
        let word = screen.paint(Colour::Careful, "warning");
        line.push_str(&format!("\n  {word}: {}", clean(&warning.message)));
    }
    line
}

fn outcome(screen: &Screen, result: &CreateResult) -> String {
    let status = screen.state(&result.status);
    let platform = clean(&result.platform_id);
    if let Some(group) = &result.post {
        let root = &group.root;
        let at = root.scheduled_for.map(|at| format!(" for {}", here().show(at)));
        let (state, at) = (screen.state(&root.state), at.unwrap_or_default());
        return format!("{status} on {platform}: {} in {state}{at}", clean(&root.id));
    }
    let Some(error) = &result.error else {
        return format!("{status} on {platform}");
    };
    let mut line = format!("{status} on {platform}: {}", clean(&error.message));
    for issue in issues(error.details.as_ref()) {
        line.push_str(&format!("\n  {issue}"));
    }
    line
}

pub(super) fn attempts(screen: &Screen, reply: Reply<AttemptList>) -> Report {
    let here = here();
    let rows: Vec<Vec<String>> = reply
        .value
        .attempts
        .iter()
        .map(|attempt| attempt_row(screen, attempt, &here))
        .collect();
    let text = match rows.is_empty() {
        true => "Not tried yet.".to_owned(),
        false => screen.table(&ATTEMPTS, &rows),
    };
    let last = reply.value.attempts.last();
    let text = match last.and_then(|attempt| attempt.explanation.as_ref()) {
        Some(explanation) => format!("{text}\n\n{}", what_next(explanation)),
        None => text,
    };
    Report::new(reply.json, text)
}

/// Who must act after the last attempt, and how.
fn what_next(explanation: &Explanation) -> String {
    let who = match explanation.who_acts.as_str() {
        "user" => "What you can do",
        "operator" => "What the operator of the service can do",
        _ => "What happens next",
    };
    format!("{who}: {}", clean(&explanation.next_step))
}

fn attempt_row(screen: &Screen, attempt: &Attempt, here: &Here) -> Vec<String> {
    let time = |time: Option<_>| time.map_or_else(|| "-".to_owned(), |time| here.show(time));
    let why = [&attempt.code, &attempt.message].into_iter().flatten();
    let why: Vec<&str> = why.map(String::as_str).collect();
    vec![
        here.show(attempt.started_at),
        time(attempt.ended_at),
        clean(attempt.transfer.as_deref().unwrap_or("-")),
        screen.state(attempt.outcome.as_deref().unwrap_or("under way")),
        time(attempt.next_retry_at),
        clean(&why.join(": ")),
    ]
}
