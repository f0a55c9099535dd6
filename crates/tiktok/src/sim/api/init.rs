//! The three inits: direct video, video draft, photos.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

use super::gate::{Caller, admit, scope_missing};
use super::init_body::{
    Transfer, photo_info, photo_mode, photo_source, post_info, source_info, video_info, video_source,
};
use super::params::{Object, read};
use super::rules::{ChunkPlan, Post, check};
use crate::sim::answer::Refusal;
use crate::sim::call::Call;
use crate::sim::grants::App;
use crate::sim::task::{Kind, Mode, PostInfo, Pull, Source, Stage, Task, Upload};
use crate::sim::world::World;

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

/// What the account disallows is off, whatever the app sent.
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
        complete_at: None,
        chunks: 0,
        busy: false,
        hash: Sha256::new(),
        expires_at: world.now.plus(Duration::from_secs(world.knobs.upload_url_ttl_s)),
    };
    (upload, url)
}
