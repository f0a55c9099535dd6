//! `user/info`, `video/list` and `video/query`.

use serde_json::{Map, Value, json};

use super::gate::{admit, scope_missing};
use super::params::{Object, invalid, read};
use crate::sim::account::Account;
use crate::sim::answer::Refusal;
use crate::sim::call::Call;
use crate::sim::knobs::ParamCode;
use crate::sim::ledger::Publication;
use crate::sim::world::World;

const PROFILE: [&str; 4] = ["bio_description", "profile_deep_link", "username", "is_verified"];
const STATS: [&str; 4] = ["follower_count", "following_count", "likes_count", "video_count"];

/// The fields asked for; each needs its scope.
pub(super) fn info(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    let caller = admit(world, call, &[])?;
    let fields = fields(call, world.knobs.param_code)?;
    let Some(account) = world.account(&caller.open_id) else {
        return Err(Refusal::new(500, "internal_error", "The account is gone."));
    };
    let all = user_object(world, account);
    let mut user = Map::new();
    for field in fields {
        let scope = match field.as_str() {
            name if PROFILE.contains(&name) => "user.info.profile",
            name if STATS.contains(&name) => "user.info.stats",
            _ => "user.info.basic",
        };
        if !caller.has(scope) {
            return Err(scope_missing());
        }
        let Some(value) = all.get(&field) else {
            return Err(invalid(
                world.knobs.param_code,
                &format!("fields holds an unknown name: {field}"),
            ));
        };
        user.insert(field, value.clone());
    }
    Ok(json!({ "user": user }))
}

fn user_object(world: &World, account: &Account) -> Value {
    let avatar = format!("{}/sim/avatar/{}.svg", world.base_url, account.username);
    let videos = world
        .ledger
        .of_account(&account.open_id)
        .filter(|post| post.public_at.is_some())
        .count();
    json!({
        "open_id": account.open_id,
        "union_id": account.union_id,
        "avatar_url": avatar,
        "avatar_url_100": avatar,
        "avatar_large_url": avatar,
        "display_name": account.nickname,
        "bio_description": account.bio,
        "profile_deep_link": format!("{}/@{}", world.base_url, account.username),
        "username": account.username,
        "is_verified": account.verified,
        "follower_count": account.followers,
        "following_count": 87,
        "likes_count": account.followers.saturating_mul(9),
        "video_count": videos,
    })
}

/// Public posts from a cursor in milliseconds, newest first; pinned ones before the others, on the first page.
pub(super) fn list(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    let caller = admit(world, call, &["video.list"])?;
    let code = world.knobs.param_code;
    let fields = fields(call, code)?;
    let body = read(call, code)?;
    let root = Object::root(&body, code);
    let max = root.number("max_count")?.unwrap_or(10);
    if !(1..=20).contains(&max) {
        return Err(root.refuse("max_count", "must be 1 to 20"));
    }
    let from = root
        .number("cursor")?
        .filter(|cursor| *cursor > 0)
        .and_then(|cursor| i64::try_from(cursor).ok());
    let before = from.unwrap_or(i64::MAX);
    let profile = world.profile(&caller.open_id);
    let pinned = profile.pinned.iter().filter(|_| from.is_none());
    let mut videos = pinned
        .map(|post| video_object(world, post, &fields))
        .collect::<Result<Vec<_>, _>>()?;
    let others = profile.newest_first.iter();
    let mut older = others
        .filter(|post| post.published_at.as_millis() < before)
        .peekable();
    let is_cut = world.knobs.pinned_alone && !videos.is_empty();
    let max = if is_cut { 0 } else { max };
    let mut cursor = before.min(world.now.as_millis() + i64::from(is_cut));
    while let Some(post) = older.next_if(|_| (videos.len() as u64) < max) {
        cursor = post.published_at.as_millis();
        videos.push(video_object(world, post, &fields)?);
    }
    if world.knobs.omit_texts {
        for video in videos.iter_mut().filter_map(Value::as_object_mut) {
            video.retain(|field, _| !matches!(field.as_str(), "title" | "video_description"));
        }
    }
    let cursor = (!world.knobs.omit_cursor).then_some(cursor);
    Ok(json!({ "videos": videos, "cursor": cursor, "has_more": older.peek().is_some() }))
}

/// The caller's public posts among the ids asked for.
pub(super) fn query(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    let caller = admit(world, call, &["video.list"])?;
    let code = world.knobs.param_code;
    let fields = fields(call, code)?;
    let body = read(call, code)?;
    let filters = Object::root(&body, code).object("filters")?;
    let ids = filters.texts("video_ids")?;
    if ids.len() > 20 {
        return Err(filters.refuse("video_ids", "must hold at most 20 ids"));
    }
    let posts = ids.iter().filter_map(|id| world.ledger.by_post(id));
    let own = posts.filter(|post| post.open_id == caller.open_id && post.public_at.is_some());
    let videos = own
        .map(|post| video_object(world, post, &fields))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "videos": videos, "cursor": world.now.as_millis(), "has_more": false }))
}

fn video_object(world: &World, post: &Publication, fields: &[String]) -> Result<Value, Refusal> {
    let link = format!("{}{}", world.base_url, post.path());
    let first = post.media.first();
    let all = json!({
        "id": post.post_id,
        "create_time": post.published_at.as_secs(),
        "cover_image_url": format!("{}/sim/avatar/{}.svg", world.base_url, post.username),
        "share_url": format!("{link}?utm_campaign=tt4d_open_api&utm_source={}", world.client_key),
        "video_description": post.caption.chars().take(150).collect::<String>(),
        "duration": first.map_or(0, |medium| medium.duration_ms / 1_000),
        "height": first.map_or(0, |medium| medium.height),
        "width": first.map_or(0, |medium| medium.width),
        "title": post.info.title.chars().take(150).collect::<String>(),
        "embed_html": format!("<blockquote><a href=\"{link}\">post</a></blockquote>"),
        "embed_link": link,
        "like_count": 0,
        "comment_count": post.comments.len(),
        "share_count": 0,
        "view_count": 1,
    });
    let mut video = Map::new();
    for field in fields {
        let value = all.get(field).ok_or_else(|| {
            invalid(
                world.knobs.param_code,
                &format!("fields holds an unknown name: {field}"),
            )
        })?;
        video.insert(field.clone(), value.clone());
    }
    Ok(Value::Object(video))
}

/// The comma-joined `fields`, which are required.
fn fields(call: &Call, code: ParamCode) -> Result<Vec<String>, Refusal> {
    let text = call.query("fields").unwrap_or_default();
    let fields: Vec<String> = text
        .split(',')
        .map(str::trim)
        .filter(|field| !field.is_empty())
        .map(str::to_owned)
        .collect();
    if fields.is_empty() {
        Err(invalid(code, "Fields is required"))
    } else {
        Ok(fields)
    }
}
