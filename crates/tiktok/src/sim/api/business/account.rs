//! `/business/get/`, `/business/video/settings/` and `/business/video/list/`.

use serde_json::{Map, Value, json};

use super::gate::{admit_asking, asked};
use super::refused::{Refused, bad};
use crate::sim::call::Call;
use crate::sim::world::World;

/// The fields of the profile that are asked for.
pub(super) fn get(world: &mut World, call: &Call) -> Result<Value, Refused> {
    let open_id = admit_asking(world, call, "user.info.basic")?;
    let Some(account) = world.account(&open_id) else {
        return Err((50_000, "The account is gone.".to_owned()));
    };
    let all = json!({
        "username": account.username,
        "display_name": account.nickname,
        "profile_image": format!("{}/sim/avatar/{}.svg", world.base_url, account.username),
        "followers_count": account.followers,
        "is_business_account": true,
    });
    picked(&all, &fields(call)?)
}

/// What the account allows right now, in the words of the creator API's options.
pub(super) fn settings(world: &mut World, call: &Call) -> Result<Value, Refused> {
    let open_id = admit_asking(world, call, "video.publish")?;
    let Some(account) = world.account(&open_id) else {
        return Err((50_000, "The account is gone.".to_owned()));
    };
    Ok(json!({
        "privacy_level_options": account.privacy_options(),
        "comment_disabled": account.comment_disabled,
        "duet_disabled": account.private || account.duet_disabled,
        "stitch_disabled": account.private || account.stitch_disabled,
        "max_video_post_duration_sec": account.max_video_sec,
    }))
}

/// Public posts, newest first, pinned ones before the others; the cursor is their place in that order.
pub(super) fn posts(world: &mut World, call: &Call) -> Result<Value, Refused> {
    let open_id = admit_asking(world, call, "video.list")?;
    let fields = fields(call)?;
    let (max, from) = page(call, 20)?;
    let wanted = wanted_ids(call)?;
    let is_wanted = |post_id: &String| wanted.as_ref().is_none_or(|ids| ids.contains(post_id));
    let profile = world.profile(&open_id);
    let is_cut = world.knobs.pinned_alone && from < profile.pinned.len() && wanted.is_none();
    let max = if is_cut { profile.pinned.len() - from } else { max };
    let public: Vec<Value> = profile
        .pinned
        .iter()
        .chain(&profile.newest_first)
        .filter(|post| is_wanted(&post.post_id))
        .map(|post| {
            json!({
                "item_id": post.post_id,
                "create_time": post.published_at.as_secs().to_string(),
                "caption": post.caption,
                "share_url": format!("{}{}?utm_campaign=tt4d_open_api", world.base_url, post.path()),
                "media_type": if post.kind.as_str() == "video" { "VIDEO" } else { "PHOTO" },
                "comments": post.comments.len(),
            })
        })
        .collect();
    let shown = public.iter().skip(from).take(max);
    let mut videos = shown
        .map(|post| picked(post, &fields))
        .collect::<Result<Vec<_>, _>>()?;
    if world.knobs.omit_texts {
        for video in videos.iter_mut().filter_map(Value::as_object_mut) {
            video.remove("caption");
        }
    }
    let next = from + videos.len();
    let cursor = (!world.knobs.omit_cursor).then_some(next);
    Ok(json!({ "videos": videos, "cursor": cursor, "has_more": next < public.len() }))
}

/// The `video_ids` of `filters`, a JSON object.
fn wanted_ids(call: &Call) -> Result<Option<Vec<String>>, Refused> {
    let Some(filters) = call.query("filters") else {
        return Ok(None);
    };
    let filters: Value = serde_json::from_str(&filters).map_err(|_| bad("filters: Not a valid object."))?;
    serde_json::from_value(filters["video_ids"].clone())
        .map(Some)
        .map_err(|_| bad("filters.video_ids: Not a valid list."))
}

/// How many at most, and from where: `max_count` and `cursor`.
pub(super) fn page(call: &Call, most: usize) -> Result<(usize, usize), Refused> {
    let number = |name: &str, default: usize| match call.query(name) {
        None => Ok(default),
        Some(text) => text
            .parse()
            .map_err(|_| bad(&format!("{name}: Not a valid integer."))),
    };
    let (max, from) = (number("max_count", 20)?, number("cursor", 0)?);
    match (1..=most).contains(&max) {
        true => Ok((max, from)),
        false => Err(bad(&format!("max_count: Must be between 1 and {most}."))),
    }
}

/// The names in `fields`, a JSON list.
fn fields(call: &Call) -> Result<Vec<String>, Refused> {
    let text = asked(call, "fields")?;
    serde_json::from_str(&text).map_err(|_| bad("fields: Not a valid list."))
}

fn picked(all: &Value, fields: &[String]) -> Result<Value, Refused> {
    let mut some = Map::new();
    for field in fields {
        let value = all
            .get(field)
            .ok_or_else(|| bad(&format!("fields: {field} is not supported.")))?;
        some.insert(field.clone(), value.clone());
    }
    Ok(Value::Object(some))
}
