//! Parses the bodies of the three inits: the post, its source, and the provider's messages for what is wrong in them.

use super::params::Object;
use super::rules::{ChunkPlan, chunk_plan, fetchable};
use crate::sim::answer::Refusal;
use crate::sim::knobs::SingleChunkError;
use crate::sim::task::{Mode, PostInfo};

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

/// How the media come.
pub(super) enum Transfer {
    Upload(ChunkPlan),
    Pull(Vec<String>),
}

pub(super) fn post_info<'a>(root: &Object<'a>) -> Result<Object<'a>, Refusal> {
    root.object("post_info").map_err(|_| root.wrong(WRONG_POST))
}

pub(super) fn source_info<'a>(root: &Object<'a>) -> Result<Object<'a>, Refusal> {
    root.object("source_info").map_err(|_| root.wrong(WRONG_SOURCE))
}

pub(super) fn photo_mode(root: &Object<'_>) -> Result<Mode, Refusal> {
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

pub(super) fn video_info(post: &Object<'_>) -> Result<PostInfo, Refusal> {
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

pub(super) fn photo_info(post: &Object<'_>, mode: Mode) -> Result<PostInfo, Refusal> {
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

pub(super) fn video_source(source: &Object<'_>, single: SingleChunkError) -> Result<Transfer, Refusal> {
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

/// The addresses of the photos, and which of them is the cover.
pub(super) fn photo_source(source: &Object<'_>) -> Result<(Vec<String>, usize), Refusal> {
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
