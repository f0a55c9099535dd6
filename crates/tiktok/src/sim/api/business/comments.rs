//! `/business/comment/create/` and `/business/comment/list/`: under one of the account's own public posts.

use std::time::Duration;

use serde_json::{Value, json};

use super::account::page;
use super::gate::{admit_asking, admit_telling, asked};
use super::refused::{NO_PERMISSION, Refused, bad};
use crate::sim::call::Call;
use crate::sim::ledger::Comment;
use crate::sim::world::World;

/// UTF-16 units that a comment may have.
const TEXT_LIMIT: usize = 150;

const MONTH: Duration = Duration::from_secs(30 * 86_400);

/// Writes a comment. Each call writes another.
pub(super) fn create(world: &mut World, call: &Call) -> Result<Value, Refused> {
    let (open_id, body) = admit_telling(world, call, "comment.list.manage")?;
    let text = |field: &str| match body.get(field).and_then(Value::as_str) {
        Some(value) if !value.is_empty() => Ok(value.to_owned()),
        _ => Err(bad(&format!("{field}: Missing data for required field."))),
    };
    let (video_id, words) = (text("video_id")?, text("text")?);
    if words.encode_utf16().count() > TEXT_LIMIT {
        return Err(bad("text: Longer than maximum length 150."));
    }
    check_own(world, &open_id, &video_id)?;
    let closed = world
        .ledger
        .by_post(&video_id)
        .is_some_and(|post| post.info.disable_comment);
    if closed {
        return Err((
            NO_PERMISSION,
            "Comments are turned off for this video.".to_owned(),
        ));
    }
    let comment = Comment {
        comment_id: world.ids.number(world.now).to_string(),
        post_id: video_id.clone(),
        open_id,
        text: words,
        created_at: world.now,
        hidden: world.knobs.hide_comments,
    };
    let answer = shown(world, &comment);
    if let Some(post) = world.ledger.by_post_mut(&video_id) {
        post.comments.push(comment);
    }
    Ok(answer)
}

/// The comments under a post, hidden ones too unless `status` is `PUBLIC`; newest first when asked so.
pub(super) fn list(world: &mut World, call: &Call) -> Result<Value, Refused> {
    let open_id = admit_asking(world, call, "comment.list")?;
    let video_id = asked(call, "video_id")?;
    check_own(world, &open_id, &video_id)?;
    let public_only = match call.query("status").as_deref() {
        None | Some("ALL") => false,
        Some("PUBLIC") => true,
        Some(_) => return Err(bad("status: Must be one of: PUBLIC, ALL.")),
    };
    let (max, from) = page(call, 30)?;
    let pinned = usize::from(world.knobs.pinned_comment);
    let under = world.ledger.by_post(&video_id).into_iter();
    let mut comments: Vec<&Comment> = under.flat_map(|post| &post.comments).collect();
    let delay = Duration::from_millis(world.knobs.comment_list_delay_ms);
    comments
        .retain(|comment| !(public_only && comment.hidden) && comment.created_at.plus(delay) <= world.now);
    if call.query("sort_order").as_deref() == Some("desc") {
        comments.reverse();
    }
    if from < pinned {
        let rows = [pinned_of_viewer(world, &video_id)];
        return Ok(json!({ "comments": rows, "cursor": pinned, "has_more": !comments.is_empty() }));
    }
    let rows: Vec<Value> = comments
        .iter()
        .skip(from - pinned)
        .take(max)
        .map(|comment| listed(world, comment))
        .collect();
    let next = from + rows.len();
    Ok(json!({ "comments": rows, "cursor": next, "has_more": next < comments.len() + pinned }))
}

fn check_own(world: &World, open_id: &str, video_id: &str) -> Result<(), Refused> {
    let own = world
        .ledger
        .by_post(video_id)
        .filter(|post| post.open_id == open_id && post.public_at.is_some());
    match own {
        Some(_) => Ok(()),
        None => Err(bad("video_id: The video does not exist or is not public.")),
    }
}

/// A comment that a viewer wrote a month ago.
fn pinned_of_viewer(world: &World, video_id: &str) -> Value {
    json!({
        "comment_id": "7000000000000000002",
        "video_id": video_id,
        "text": "First!",
        "create_time": world.now.minus(MONTH).as_secs().to_string(),
        "status": "PUBLIC",
        "owner": false,
        "username": "viewer",
        "likes": 0,
        "replies": 0,
    })
}

/// White space is joined, as in the texts of posts.
fn listed(world: &World, comment: &Comment) -> Value {
    let mut row = shown(world, comment);
    row["text"] = comment
        .text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .into();
    row
}

fn shown(world: &World, comment: &Comment) -> Value {
    let name = world
        .account(&comment.open_id)
        .map(|account| account.username.as_str());
    json!({
        "comment_id": comment.comment_id,
        "video_id": comment.post_id,
        "text": comment.text,
        "create_time": comment.created_at.as_secs().to_string(),
        "status": if comment.hidden { "HIDDEN" } else { "PUBLIC" },
        "owner": true,
        "username": name,
        "likes": 0,
        "replies": 0,
    })
}
