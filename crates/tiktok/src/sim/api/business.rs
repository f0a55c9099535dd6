//! Comments, through the business API: its own envelope, HTTP 200 also on errors.

use serde_json::{Value, json};

use super::gate::admit;
use crate::sim::call::Call;
use crate::sim::ledger::Comment;
use crate::sim::world::World;

/// UTF-16 units that a comment may have.
const TEXT_LIMIT: usize = 150;

const NO_PERMISSION: u32 = 40_001;
const BAD_PARAMETER: u32 = 40_002;
const TOO_FAST: u32 = 40_100;
const BAD_TOKEN: u32 = 40_105;

/// Writes a comment under one of the account's own public posts.
pub(super) fn comment(world: &mut World, call: &Call) -> Result<Value, (u32, String)> {
    let open_id = allowed(world, call)?;
    let body: Value =
        serde_json::from_slice(&call.body).map_err(|_| bad("The request body is not valid JSON"))?;
    let text = |field: &str| match body.get(field).and_then(Value::as_str) {
        Some(value) if !value.is_empty() => Ok(value.to_owned()),
        _ => Err(bad(&format!("{field}: Missing data for required field."))),
    };
    let (business_id, video_id, words) = (text("business_id")?, text("video_id")?, text("text")?);
    if business_id != open_id {
        return Err((
            NO_PERMISSION,
            "No permission to operate this business account.".to_owned(),
        ));
    }
    if words.encode_utf16().count() > TEXT_LIMIT {
        return Err(bad("text: Longer than maximum length 150."));
    }
    let own = world
        .ledger
        .by_post(&video_id)
        .filter(|post| post.open_id == open_id && post.public_at.is_some());
    let Some(post) = own else {
        return Err(bad("video_id: The video does not exist or is not public."));
    };
    if post.info.disable_comment {
        return Err((
            NO_PERMISSION,
            "Comments are turned off for this video.".to_owned(),
        ));
    }
    let comment_id = world.ids.number(world.now).to_string();
    let comment = Comment {
        comment_id: comment_id.clone(),
        post_id: video_id.clone(),
        open_id,
        text: words.clone(),
        created_at: world.now,
    };
    if let Some(post) = world.ledger.by_post_mut(&video_id) {
        post.comments.push(comment);
    }
    Ok(json!({
        "comment_id": comment_id,
        "video_id": video_id,
        "text": words,
        "create_time": world.now.as_secs().to_string(),
        "status": "PUBLIC",
    }))
}

fn allowed(world: &mut World, call: &Call) -> Result<String, (u32, String)> {
    match admit(world, call, &["comment.list.manage"]) {
        Ok(caller) => Ok(caller.open_id),
        Err(refusal) => Err(match refusal.code.as_str() {
            "access_token_invalid" => (
                BAD_TOKEN,
                "Access token is incorrect or has been revoked.".to_owned(),
            ),
            "rate_limit_exceeded" => (
                TOO_FAST,
                "Too many requests. Please retry in some time.".to_owned(),
            ),
            _ => (
                NO_PERMISSION,
                "No permission to operate: comment.list.manage".to_owned(),
            ),
        }),
    }
}

fn bad(message: &str) -> (u32, String) {
    (BAD_PARAMETER, message.to_owned())
}
