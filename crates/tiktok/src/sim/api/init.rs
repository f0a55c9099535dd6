//! The three inits: direct video, video draft, photos.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

use super::gate::{Caller, admit, scope_missing};
use super::params::{Object, read};
use super::rules::{ChunkPlan, Post, check, chunk_plan, fetchable};
use crate::sim::answer::Refusal;
use crate::sim::call::Call;
use crate::sim::grants::App;
use crate::sim::knobs::SingleChunkError;
use crate::sim::task::{Kind, Mode, PostInfo, Pull, Source, Stage, Task, Upload};
use crate::sim::world::World;

const PHOTOS: usize = 35;
const PRIVACY_LEVELS: [&str; 4] = [
    "PUBLIC_TO_EVERYONE",
    "MUTUAL_FOLLOW_FRIENDS",
    "FOLLOWER_OF_CREATOR",
    "SELF_ONLY",
];

/// The provider's words for what is wrong in `post_info`, in `source_info`, and in what kind of post it is to be.
const WRONG_POST: &str = "The request post info is empty or incorrect";
const WRONG_SOURCE: &str = "The request source info is empty or incorrect";
const WRONG_KIND: &str = "Invalid media_type or post_mode";

/// `video/init`.
pub(super) fn video(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    let caller = admit(world, call, &["video.publish"])?;
    let body = read(call, world.knobs.param_code)?;
    let root = Object::root(&body, world.knobs.param_code);
    let info = video_info(&post_info(&root)?)?;
    let transfer = video_source(&source_info(&root)?, world.knobs.single_chunk_error)?;
    let order = Order {
        kind: Kind::Video,
        mode: Mode::Direct,
        info,
        transfer,
    };
    place(world, &caller, order)
}

/// `inbox/video/init`; a `post_info` is ignored.
pub(super) fn inbox(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    let caller = admit(world, call, &["video.upload"])?;
    let body = read(call, world.knobs.param_code)?;
    let root = Object::root(&body, world.knobs.param_code);
    let transfer = video_source(&source_info(&root)?, world.knobs.single_chunk_error)?;
    let order = Order {
        kind: Kind::Video,
        mode: Mode::Draft,
        info: PostInfo::default(),
        transfer,
    };
    place(world, &caller, order)
}

/// `content/init`; which scope it needs depends on `post_mode`.
pub(super) fn content(world: &mut World, call: &Call) -> Result<Value, Refusal> {
    let peeked: Value = serde_json::from_slice(&call.body).unwrap_or_default();
    let needed: &[&str] = match peeked.get("post_mode").and_then(Value::as_str) {
        Some("DIRECT_POST") => &["video.publish"],
        Some("MEDIA_UPLOAD") => &["video.upload"],
        _ => &["video.publish", "video.upload"],
    };
    let caller = admit(world, call, needed)?;
    let code = world.knobs.param_code;
    let body = read(call, code)?;
    let root = Object::root(&body, code);
    let mode = photo_mode(&root)?;
    let needs = if mode == Mode::Direct {
        "video.publish"
    } else {
        "video.upload"
    };
    if !caller.has(needs) {
        return Err(scope_missing());
    }
    let (urls, cover) = photo_source(&source_info(&root)?)?;
    let mut info = photo_info(&post_info(&root)?, mode)?;
    info.is_aigc = root.flag("is_aigc")?;
    info.photo_cover_index = cover;
    place(
        world,
        &caller,
        Order {
            kind: Kind::Photo,
            mode,
            info,
            transfer: Transfer::Pull(urls),
        },
    )
}

/// A well-formed request to post.
struct Order {
    kind: Kind,
    mode: Mode,
    info: PostInfo,
    transfer: Transfer,
}

enum Transfer {
    Upload(ChunkPlan),
    Pull(Vec<String>),
}

fn post_info<'a>(root: &Object<'a>) -> Result<Object<'a>, Refusal> {
    root.object("post_info").map_err(|_| root.wrong(WRONG_POST))
}

fn source_info<'a>(root: &Object<'a>) -> Result<Object<'a>, Refusal> {
    root.object("source_info").map_err(|_| root.wrong(WRONG_SOURCE))
}

fn photo_mode(root: &Object<'_>) -> Result<Mode, Refusal> {
    let media_type = root.find_word("media_type", &["PHOTO"]);
    let post_mode = root.find_word("post_mode", &["DIRECT_POST", "MEDIA_UPLOAD"]);
    match (media_type, post_mode) {
        (Some(_), Some("DIRECT_POST")) => Ok(Mode::Direct),
        (Some(_), Some(_)) => Ok(Mode::Draft),
        _ => Err(root.wrong(WRONG_KIND)),
    }
}

/// A title or description of at most `limit` UTF-16 units; empty when absent.
fn caption(post: &Object<'_>, field: &str, limit: usize) -> Result<String, Refusal> {
    let text = post.text(field)?.unwrap_or("");
    if text.encode_utf16().count() > limit {
        return Err(post.wrong(WRONG_POST));
    }
    Ok(text.to_owned())
}

/// One of the four words; whether the creator has it is another question.
fn privacy_level(post: &Object<'_>) -> Result<String, Refusal> {
    let word = post.find_word("privacy_level", &PRIVACY_LEVELS);
    word.map(str::to_owned).ok_or_else(|| post.wrong(WRONG_POST))
}

fn video_info(post: &Object<'_>) -> Result<PostInfo, Refusal> {
    let info = PostInfo {
        title: caption(post, "title", 2_200)?,
        privacy_level: privacy_level(post)?,
        disable_comment: post.flag("disable_comment")?,
        disable_duet: post.flag("disable_duet")?,
        disable_stitch: post.flag("disable_stitch")?,
        brand_content_toggle: post.flag("brand_content_toggle")?,
        brand_organic_toggle: post.flag("brand_organic_toggle")?,
        is_aigc: post.flag("is_aigc")?,
        video_cover_timestamp_ms: post.number("video_cover_timestamp_ms")?.unwrap_or(0),
        ..PostInfo::default()
    };
    branded_is_seen(post, info)
}

fn photo_info(post: &Object<'_>, mode: Mode) -> Result<PostInfo, Refusal> {
    let text = PostInfo {
        title: caption(post, "title", 90)?,
        description: caption(post, "description", 4_000)?,
        ..PostInfo::default()
    };
    if mode == Mode::Draft {
        return Ok(text);
    }
    let info = PostInfo {
        privacy_level: privacy_level(post)?,
        disable_comment: post.flag("disable_comment")?,
        auto_add_music: post.flag("auto_add_music")?,
        brand_content_toggle: post.flag("brand_content_toggle")?,
        brand_organic_toggle: post.flag("brand_organic_toggle")?,
        ..text
    };
    branded_is_seen(post, info)
}

fn branded_is_seen(post: &Object<'_>, info: PostInfo) -> Result<PostInfo, Refusal> {
    if info.brand_content_toggle && info.privacy_level == "SELF_ONLY" {
        return Err(post.wrong("Branded content visibility cannot be set to private."));
    }
    Ok(info)
}

fn video_source(source: &Object<'_>, single: SingleChunkError) -> Result<Transfer, Refusal> {
    match source.find_word("source", &["FILE_UPLOAD", "PULL_FROM_URL"]) {
        Some("FILE_UPLOAD") => Ok(Transfer::Upload(chunk_plan(source, single)?)),
        Some(_) => {
            let url = source.required_text("video_url")?;
            if !fetchable(url) {
                return Err(source.refuse("video_url", "must be an https URL"));
            }
            Ok(Transfer::Pull(vec![url.to_owned()]))
        }
        None => Err(source.wrong(WRONG_SOURCE)),
    }
}

fn photo_source(source: &Object<'_>) -> Result<(Vec<String>, usize), Refusal> {
    if source.find_word("source", &["PULL_FROM_URL"]).is_none() {
        return Err(source.wrong(WRONG_SOURCE));
    }
    let urls = source.texts("photo_images")?;
    if urls.is_empty() || urls.len() > PHOTOS {
        return Err(source.refuse("photo_images", "must hold 1 to 35 URLs"));
    }
    if !urls.iter().all(|url| fetchable(url)) {
        return Err(source.refuse("photo_images", "must be https URLs"));
    }
    let cover = usize::try_from(source.required_number("photo_cover_index")?).unwrap_or(usize::MAX);
    if cover >= urls.len() {
        return Err(source.refuse("photo_cover_index", "is out of range"));
    }
    Ok((urls, cover))
}

/// Checks an order against the rules and takes it in.
fn place(world: &mut World, caller: &Caller, order: Order) -> Result<Value, Refusal> {
    let urls: &[String] = match &order.transfer {
        Transfer::Pull(urls) => urls,
        Transfer::Upload(_) => &[],
    };
    check(
        world,
        &caller.open_id,
        &Post {
            kind: order.kind,
            mode: order.mode,
            info: &order.info,
            urls,
        },
    )?;
    let publish_id = publish_id(world, &order);
    let mut answer = json!({ "publish_id": publish_id });
    let source = match order.transfer {
        Transfer::Pull(urls) => Source::Url(Pull {
            urls,
            downloaded: 0,
            abort: CancellationToken::new(),
        }),
        Transfer::Upload(plan) => {
            let (upload, url) = open_upload(world, &publish_id, plan);
            answer["upload_url"] = url.into();
            Source::File(upload)
        }
    };
    let info = forced(world, &caller.open_id, order.info);
    world.accept(Task {
        publish_id,
        open_id: caller.open_id.clone(),
        app: App::Creator,
        kind: order.kind,
        mode: order.mode,
        info,
        source,
        stage: Stage::Transfer,
        problem: None,
        media: Vec::new(),
        inited_at: world.now,
    });
    Ok(answer)
}

/// What the account disallows is off whatever the app says.
fn forced(world: &World, open_id: &str, mut info: PostInfo) -> PostInfo {
    if let Some(account) = world.account(open_id) {
        info.disable_comment |= account.comment_disabled;
        info.disable_duet |= account.duet_disabled || account.private;
        info.disable_stitch |= account.stitch_disabled || account.private;
    }
    info
}

/// At most 64 characters, with the prefixes seen in the field.
fn publish_id(world: &mut World, order: &Order) -> String {
    let number = world.ids.number(world.now);
    match (&order.transfer, order.kind, order.mode) {
        (_, Kind::Photo, _) => format!("p_pub_url~v2.{number}"),
        (Transfer::Upload(_), Kind::Video, Mode::Direct) => format!("v_pub_file~v2-1.{number}"),
        (Transfer::Pull(_), Kind::Video, Mode::Direct) => format!("v_pub_url~v2-1.{number}"),
        (Transfer::Upload(_), Kind::Video, Mode::Draft) => format!("v_inbox_file~v2.{number}"),
        (Transfer::Pull(_), Kind::Video, Mode::Draft) => format!("v_inbox_url~v2.{number}"),
    }
}

fn open_upload(world: &mut World, publish_id: &str, plan: ChunkPlan) -> (Upload, String) {
    let upload_id = world.ids.number(world.now).to_string();
    let token = world.ids.hex();
    let url = format!(
        "{}/upload?upload_id={upload_id}&upload_token={token}",
        world.base_url
    );
    world.uploads.insert(upload_id.clone(), publish_id.to_owned());
    let upload = Upload {
        token,
        media_id: upload_id,
        size: plan.size,
        chunk: plan.chunk,
        count: plan.count,
        received: 0,
        chunks: 0,
        busy: false,
        hash: Sha256::new(),
        expires_at: world.now.plus(Duration::from_secs(world.knobs.upload_url_ttl_s)),
    };
    (upload, url)
}
