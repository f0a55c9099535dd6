//! `creator_info/query`: what the creator may do right now.

use serde_json::{Value, json};

use super::gate::admit;
use super::rules::users_used_up;
use crate::sim::answer::Refusal;
use crate::sim::call::Call;
use crate::sim::world::World;

/// The creator's options. Bans and caps come as errors with HTTP 200.
pub(super) fn info(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    let caller = admit(world, call, &["video.publish"])?;
    let Some(account) = world.account(&caller.open_id) else {
        return Err(Refusal::new(500, "internal_error", "The account is gone."));
    };
    if account.banned {
        return Err(Refusal::guidelines("spam_risk_user_banned_from_posting").with_status(200));
    }
    if world.posts_used_up(&caller.open_id) {
        return Err(Refusal::too_many_posts().with_status(200));
    }
    if users_used_up(world, &caller.open_id) {
        return Err(Refusal::guidelines("reached_active_user_cap").with_status(200));
    }
    Ok(json!({
        "creator_avatar_url": format!("{}/sim/avatar/{}.svg", world.base_url, account.username),
        "creator_username": account.username,
        "creator_nickname": account.nickname,
        "privacy_level_options": account.privacy_options(),
        "comment_disabled": account.comment_disabled,
        "duet_disabled": account.private || account.duet_disabled,
        "stitch_disabled": account.private || account.stitch_disabled,
        "max_video_post_duration_sec": account.max_video_sec,
    }))
}
