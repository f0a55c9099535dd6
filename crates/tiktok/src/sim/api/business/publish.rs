//! `/business/video/publish/`, `/business/photo/publish/` and `/business/publish/status/`: pull alone, and a video is public.

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::gate::{admit_asking, admit_telling, asked};
use super::refused::{BAD_PARAMETER, Refused, bad};
use crate::sim::answer::Refusal;
use crate::sim::api::params::Object;
use crate::sim::api::rules::{fetchable, owned};
use crate::sim::api::status::told_number;
use crate::sim::call::Call;
use crate::sim::grants::App;
use crate::sim::knobs::ParamCode;
use crate::sim::task::{Kind, Mode, PostInfo, Pull, Source, Stage, Task};
use crate::sim::world::World;

const PUBLIC: &str = "PUBLIC_TO_EVERYONE";
const PHOTOS: usize = 35;

/// Publishes a video; as a draft it takes no texts along.
pub(super) fn video(world: &mut World, call: &Call) -> Result<Value, Refused> {
    let (open_id, body) = admit_telling(world, call, "video.publish")?;
    let root = Object::root(&body, ParamCode::InvalidParams);
    let url = root.required_text("video_url").map_err(told)?.to_owned();
    let post = root.object("post_info").map_err(told)?;
    let (mode, info) = match post.flag("upload_to_draft").map_err(told)? {
        true => (Mode::Draft, PostInfo::default()),
        false => (Mode::Direct, video_info(&post).map_err(told)?),
    };
    place(world, &open_id, Kind::Video, mode, info, vec![url])
}

/// Publishes photos; as a draft they take their texts along.
pub(super) fn photo(world: &mut World, call: &Call) -> Result<Value, Refused> {
    let (open_id, body) = admit_telling(world, call, "video.publish")?;
    let root = Object::root(&body, ParamCode::InvalidParams);
    let urls = root.texts("photo_images").map_err(told)?;
    let cover = root.number("photo_cover_index").map_err(told)?.unwrap_or(0);
    let cover = usize::try_from(cover).unwrap_or(usize::MAX);
    if urls.is_empty() || urls.len() > PHOTOS || cover >= urls.len() {
        return Err(bad(
            "photo_images: Length must be between 1 and 35, with the cover in it.",
        ));
    }
    let post = root.object("post_info").map_err(told)?;
    let (mode, mut info) = photo_info(&post).map_err(told)?;
    info.photo_cover_index = cover;
    place(world, &open_id, Kind::Photo, mode, info, urls)
}

fn video_info(post: &Object<'_>) -> Result<PostInfo, Refusal> {
    Ok(PostInfo {
        title: post.bounded_text("caption", 2_200)?,
        privacy_level: PUBLIC.to_owned(),
        disable_comment: post.flag("disable_comment")?,
        disable_duet: post.flag("disable_duet")?,
        disable_stitch: post.flag("disable_stitch")?,
        brand_content_toggle: post.flag("is_branded_content")?,
        brand_organic_toggle: post.flag("is_brand_organic")?,
        is_aigc: post.flag("is_ai_generated")?,
        video_cover_timestamp_ms: post.number("thumbnail_offset")?.unwrap_or(0),
        ..PostInfo::default()
    })
}

fn photo_info(post: &Object<'_>) -> Result<(Mode, PostInfo), Refusal> {
    let text = PostInfo {
        title: post.bounded_text("title", 90)?,
        description: post.bounded_text("caption", 4_000)?,
        ..PostInfo::default()
    };
    if post.flag("is_draft")? {
        return Ok((Mode::Draft, text));
    }
    let info = PostInfo {
        privacy_level: post.required_text("privacy_level")?.to_owned(),
        disable_comment: post.flag("disable_comment")?,
        auto_add_music: post.flag("auto_add_music")?,
        brand_content_toggle: post.flag("is_branded_content")?,
        brand_organic_toggle: post.flag("is_brand_organic")?,
        ..text
    };
    Ok((Mode::Direct, info))
}

/// Checks an order against the account and the app's URL properties, and takes it in. Bans and caps show at the end.
fn place(
    world: &mut World,
    open_id: &str,
    kind: Kind,
    mode: Mode,
    info: PostInfo,
    urls: Vec<String>,
) -> Result<Value, Refused> {
    if let Some(url) = urls.iter().find(|url| !fetchable(url) || !owned(world, url)) {
        return Err(bad(&format!("The ownership of the URL {url} is not verified.")));
    }
    let Some(account) = world.account(open_id).cloned() else {
        return Err((50_000, "The account is gone.".to_owned()));
    };
    let draft = mode == Mode::Draft;
    if !draft && !account.privacy_options().contains(&info.privacy_level.as_str()) && kind == Kind::Photo {
        return Err(bad("privacy_level: Not one of the account's options."));
    }
    if !draft && account.comment_disabled && !info.disable_comment {
        return Err(bad("disable_comment: Must be true for this account."));
    }
    let prefix = match (kind, draft) {
        (Kind::Video, false) => "v_pub_url",
        (Kind::Video, true) => "v_inbox_url",
        (Kind::Photo, false) => "p_pub_url",
        (Kind::Photo, true) => "p_inbox_url",
    };
    let share_id = format!("{prefix}~v1.{}", world.ids.number(world.now));
    let pull = Pull {
        urls,
        downloaded: 0,
        abort: CancellationToken::new(),
    };
    world.accept(Task {
        publish_id: share_id.clone(),
        open_id: open_id.to_owned(),
        app: App::Business,
        kind,
        mode,
        info,
        source: Source::Url(pull),
        stage: Stage::Transfer,
        problem: None,
        media: Vec::new(),
        inited_at: world.now,
    });
    Ok(json!({ "share_id": share_id }))
}

/// How far a task of the caller is.
pub(super) fn status(world: &mut World, call: &Call) -> Result<Value, Refused> {
    let open_id = admit_asking(world, call, "video.publish")?;
    let share_id = asked(call, "publish_id")?;
    let own = |task: &&Task| task.open_id == open_id && task.app == App::Business;
    let Some(task) = world.tasks.get(&share_id).filter(own) else {
        return Err(bad("publish_id: The publishing task does not exist."));
    };
    let mut data = json!({ "status": task.status() });
    match &task.stage {
        Stage::Failed(reason) => data["reason"] = reason.as_str().into(),
        Stage::Complete => {
            if let Some(number) = told_number(world, &share_id) {
                data["post_ids"] = json!([number.to_string()]);
            }
        }
        Stage::Transfer | Stage::Processing | Stage::Inbox => {}
    }
    Ok(data)
}

fn told(refusal: Refusal) -> Refused {
    (BAD_PARAMETER, refusal.message)
}
