//! Handing a post over: `/business/video/publish/` or `/business/photo/publish/`, once. The provider fetches everything; a
//! video has no privacy. The status is queried by the answer's `share_id`.

use playout_domain::media::MediaType;
use playout_domain::provider::{Accepted, Grant, Handover, ProviderError};
use serde_json::{Value, json};

use super::calls::of_the_grant;
use super::client::TikTokBusiness;
use crate::envelope::{self, filled};
use crate::errors;
use crate::settings::{PostMode, Settings, name};

const VIDEO_PATH: &str = "/business/video/publish/";
const PHOTO_PATH: &str = "/business/photo/publish/";

impl TikTokBusiness {
    /// Hands a post over. The answer's handle must be stored before anything else is done.
    pub(super) async fn hand_over(
        &self,
        grant: Grant<'_>,
        handover: &Handover<'_>,
    ) -> Result<Accepted, ProviderError> {
        let (path, body) = order(grant, handover).ok_or_else(|| errors::ours("handover_incomplete"))?;
        let reply = self.post(grant.into(), path, body).await.map_err(of_the_grant)?;
        let handle = filled(&reply.data, "share_id").map(str::to_owned);
        Ok(Accepted {
            handle: handle.ok_or_else(|| envelope::incomplete(reply.log_id))?,
            upload: None,
        })
    }
}

/// `None` where the post lacks media or addresses.
fn order(grant: Grant<'_>, handover: &Handover<'_>) -> Option<(&'static str, Value)> {
    let media = &handover.draft.media;
    if handover.urls.len() != media.len() {
        return None;
    }
    let settings = Settings::of(grant.platform, &handover.draft.settings);
    let caption = &handover.draft.content;
    match media.first()?.mime.media_type() {
        MediaType::Video => {
            let post = video_post(settings, caption);
            Some((
                VIDEO_PATH,
                json!({ "video_url": handover.urls.first()?, "post_info": post }),
            ))
        }
        MediaType::Image => {
            let cover = settings.number(name::PHOTO_COVER).unwrap_or_default();
            let post = photo_post(settings, caption);
            let body =
                json!({ "photo_images": handover.urls, "photo_cover_index": cover, "post_info": post });
            Some((PHOTO_PATH, body))
        }
        MediaType::Audio | MediaType::File => None,
    }
}

/// A draft for the inbox takes nothing along.
fn video_post(settings: Settings<'_>, caption: &str) -> Value {
    if settings.mode() == PostMode::Inbox {
        return json!({ "upload_to_draft": true });
    }
    let mut post = json!({
        "caption": caption,
        "is_brand_organic": settings.is_on(name::OWN_BRAND),
        "is_branded_content": settings.is_on(name::BRANDED),
        "disable_comment": !settings.allows(name::COMMENT),
        "disable_duet": !settings.allows(name::DUET),
        "disable_stitch": !settings.allows(name::STITCH),
        "is_ai_generated": settings.is_on(name::AI_MADE),
    });
    if let Some(at) = settings.number(name::VIDEO_COVER) {
        post["thumbnail_offset"] = json!(at);
    }
    post
}

/// A draft for the inbox takes its texts along.
fn photo_post(settings: Settings<'_>, caption: &str) -> Value {
    let mut post = json!({ "caption": caption });
    if let Some(title) = settings.text(name::TITLE) {
        post["title"] = json!(title);
    }
    if settings.mode() == PostMode::Inbox {
        post["is_draft"] = json!(true);
        return post;
    }
    post["privacy_level"] = json!(settings.privacy());
    post["disable_comment"] = json!(!settings.allows(name::COMMENT));
    post["auto_add_music"] = json!(settings.music());
    post["is_brand_organic"] = json!(settings.is_on(name::OWN_BRAND));
    post["is_branded_content"] = json!(settings.is_on(name::BRANDED));
    post
}
