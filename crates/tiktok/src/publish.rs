//! Handing a post over: `video/init`, `inbox/video/init` or `content/init`, once, with the settings it went through.

use playout_domain::media::{Media, MediaType};
use playout_domain::provider::{Accepted, Grant, Handover, ProviderError};
use playout_domain::submission::{Transfer, UploadSession};
use serde_json::{Value, json};

use crate::client::TikTok;
use crate::envelope::{self, Reply, filled};
use crate::errors;
use crate::limits::Call;
use crate::settings::{PostMode, Settings, name};

/// The most that goes in one piece; below both readings of the provider's "64 MB".
const ONE_CHUNK_BYTES: u64 = 64_000_000;

/// The pieces of larger files; above both readings of its "5 MB". The last piece carries the remainder.
const CHUNK_BYTES: u64 = 10_000_000;

const VIDEO_PATH: &str = "/v2/post/publish/video/init/";
const INBOX_PATH: &str = "/v2/post/publish/inbox/video/init/";
const CONTENT_PATH: &str = "/v2/post/publish/content/init/";

impl TikTok {
    /// Hands a post over. The answer's handle must be stored before anything else is done.
    pub(crate) async fn hand_over(
        &self,
        grant: Grant<'_>,
        handover: &Handover<'_>,
    ) -> Result<Accepted, ProviderError> {
        let order = Order::of(grant, handover).ok_or_else(|| errors::ours("handover_incomplete"))?;
        let reply = self
            .post_api(grant, Some(Call::Init), order.path, &order.body)
            .await?;
        let handle = filled(&reply.data, "publish_id").map(str::to_owned);
        let handle = handle.ok_or_else(|| envelope::incomplete(reply.log_id.clone()))?;
        let upload = match order.upload {
            Some(plan) => Some(self.session(&reply, plan)?),
            None => None,
        };
        Ok(Accepted { handle, upload })
    }

    /// The upload as planned, with the `upload_url` of the answer, if that is a trusted address.
    fn session(&self, reply: &Reply, plan: UploadSession) -> Result<UploadSession, ProviderError> {
        let url = filled(&reply.data, "upload_url").map(str::to_owned);
        let url = url.ok_or_else(|| envelope::incomplete(reply.log_id.clone()))?;
        if !self.config.allows_upload_to(&url) {
            return Err(errors::error("upload_host_refused", "", reply.log_id.clone()));
        }
        Ok(UploadSession { url, ..plan })
    }
}

/// What is sent, and where; for an upload, the plan of its pieces, still without an address.
struct Order {
    path: &'static str,
    body: Value,
    upload: Option<UploadSession>,
}

impl Order {
    /// `None` where the post lacks media, sizes or addresses.
    fn of(grant: Grant<'_>, handover: &Handover<'_>) -> Option<Self> {
        let first = handover.draft.media.first()?;
        let settings = Settings::of(grant.platform, &handover.draft.settings);
        match first.mime.media_type() {
            MediaType::Video => Self::video(first, settings, handover),
            MediaType::Image => Self::photos(settings, handover),
            MediaType::Audio | MediaType::File => None,
        }
    }

    fn video(video: &Media, settings: Settings<'_>, handover: &Handover<'_>) -> Option<Self> {
        let upload = match handover.transfer {
            Transfer::Upload => Some(plan(video)?),
            Transfer::Pull | Transfer::Text => None,
        };
        let source = match &upload {
            Some(plan) => json!({
                "source": "FILE_UPLOAD",
                "video_size": plan.size_bytes,
                "chunk_size": plan.chunk_bytes,
                "total_chunk_count": plan.chunk_count,
            }),
            None => json!({ "source": "PULL_FROM_URL", "video_url": handover.urls.first()? }),
        };
        let (path, body) = match settings.mode() {
            PostMode::Inbox => (INBOX_PATH, json!({ "source_info": source })),
            PostMode::Direct => {
                let post = video_post(settings, &handover.draft.content);
                (VIDEO_PATH, json!({ "post_info": post, "source_info": source }))
            }
        };
        Some(Self { path, body, upload })
    }

    /// Photos can only be fetched by the provider.
    fn photos(settings: Settings<'_>, handover: &Handover<'_>) -> Option<Self> {
        if handover.urls.len() != handover.draft.media.len() {
            return None;
        }
        let mut body = json!({
            "media_type": "PHOTO",
            "post_mode": settings.mode().as_str(),
            "post_info": photo_post(settings, &handover.draft.content),
            "source_info": {
                "source": "PULL_FROM_URL",
                "photo_cover_index": settings.number(name::PHOTO_COVER).unwrap_or_default(),
                "photo_images": handover.urls,
            },
        });
        if settings.mode() == PostMode::Direct {
            body["is_aigc"] = json!(settings.is_on(name::AI_MADE));
        }
        Some(Self {
            path: CONTENT_PATH,
            body,
            upload: None,
        })
    }
}

/// A video's caption is its `title`.
fn video_post(settings: Settings<'_>, caption: &str) -> Value {
    let mut post = json!({
        "title": caption,
        "privacy_level": settings.privacy(),
        "disable_comment": !settings.allows(name::COMMENT),
        "disable_duet": !settings.allows(name::DUET),
        "disable_stitch": !settings.allows(name::STITCH),
        "brand_content_toggle": settings.is_on(name::BRANDED),
        "brand_organic_toggle": settings.is_on(name::OWN_BRAND),
        "is_aigc": settings.is_on(name::AI_MADE),
    });
    if let Some(at) = settings.number(name::VIDEO_COVER) {
        post["video_cover_timestamp_ms"] = json!(i32::try_from(at).unwrap_or(i32::MAX));
    }
    post
}

/// Photos have a title of their own; the caption is their `description`. A draft for the inbox takes only these two.
fn photo_post(settings: Settings<'_>, caption: &str) -> Value {
    let mut post = json!({ "description": caption });
    if let Some(title) = settings.text(name::TITLE) {
        post["title"] = json!(title);
    }
    if settings.mode() == PostMode::Direct {
        post["privacy_level"] = json!(settings.privacy());
        post["disable_comment"] = json!(!settings.allows(name::COMMENT));
        post["auto_add_music"] = json!(settings.music());
        post["brand_content_toggle"] = json!(settings.is_on(name::BRANDED));
        post["brand_organic_toggle"] = json!(settings.is_on(name::OWN_BRAND));
    }
    post
}

/// In how many pieces a video travels, so that both readings of the provider's limits (MB and MiB) are met: each piece
/// between 5 MiB and 64 MB, the count the size divided by the piece, and one piece only if that is the whole file.
fn plan(video: &Media) -> Option<UploadSession> {
    let size_bytes = video.size_bytes.filter(|size| *size > 0)?;
    let chunk_bytes = if size_bytes <= ONE_CHUNK_BYTES {
        size_bytes
    } else {
        CHUNK_BYTES
    };
    Some(UploadSession {
        url: String::new(),
        content_type: video.mime.as_str().to_owned(),
        size_bytes,
        chunk_bytes,
        chunk_count: size_bytes / chunk_bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::tests::{draft, image, platform, video};
    use playout_domain::platform::Platform;
    use playout_domain::post::Draft;
    use playout_domain::secret::Secret;

    fn order(platform: &Platform, draft: &Draft, transfer: Transfer) -> Option<Order> {
        let access = Secret::new("act.1");
        let grant = Grant {
            platform,
            access: &access,
        };
        let urls = (0..draft.media.len())
            .map(|n| format!("https://m.example/{n}"))
            .collect();
        Order::of(
            grant,
            &Handover {
                draft,
                transfer,
                urls,
            },
        )
    }

    fn with(media: Vec<Media>, settings: Value) -> Draft {
        let mut draft = draft(media);
        draft.settings = settings.as_object().unwrap().clone();
        draft
    }

    #[test]
    fn a_video_carries_its_caption_as_title_and_allowances_negated() {
        let settings = json!({
            "privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": true, "allow_duet": true,
            "video_cover_timestamp_ms": 1500, "is_aigc": true, "brand_organic_toggle": true
        });
        let mut platform = platform();
        platform.metadata.insert("duetDisabled".to_owned(), json!(true));
        let order = order(&platform, &with(vec![video()], settings), Transfer::Upload).unwrap();
        assert_eq!(order.path, VIDEO_PATH);
        assert_eq!(
            order.body,
            json!({
                "post_info": {
                    "title": "Kite day #kites", "privacy_level": "PUBLIC_TO_EVERYONE", "disable_comment": false,
                    "disable_duet": true, "disable_stitch": true, "brand_content_toggle": false,
                    "brand_organic_toggle": true, "is_aigc": true, "video_cover_timestamp_ms": 1500
                },
                "source_info": {
                    "source": "FILE_UPLOAD", "video_size": 1_000_000, "chunk_size": 1_000_000,
                    "total_chunk_count": 1
                }
            })
        );
    }

    #[test]
    fn a_draft_for_the_inbox_carries_only_its_source() {
        let draft = with(vec![video()], json!({ "post_mode": "MEDIA_UPLOAD" }));
        let order = order(&platform(), &draft, Transfer::Pull).unwrap();
        assert_eq!(order.path, INBOX_PATH);
        let source = json!({ "source": "PULL_FROM_URL", "video_url": "https://m.example/0" });
        assert_eq!(order.body, json!({ "source_info": source }));
        assert!(order.upload.is_none());
    }

    #[test]
    fn photos_carry_title_description_cover_and_a_top_level_ai_label() {
        let settings =
            json!({ "title": "Wind", "photo_cover_index": 1, "is_aigc": true, "allow_duet": true });
        let draft = with(vec![image(), image()], settings);
        let order = order(&platform(), &draft, Transfer::Pull).unwrap();
        assert_eq!(order.path, CONTENT_PATH);
        assert_eq!(
            order.body,
            json!({
                "media_type": "PHOTO", "post_mode": "DIRECT_POST", "is_aigc": true,
                "post_info": {
                    "title": "Wind", "description": "Kite day #kites", "privacy_level": "SELF_ONLY",
                    "disable_comment": true, "auto_add_music": true, "brand_content_toggle": false,
                    "brand_organic_toggle": false
                },
                "source_info": {
                    "source": "PULL_FROM_URL", "photo_cover_index": 1,
                    "photo_images": ["https://m.example/0", "https://m.example/1"]
                }
            })
        );
    }

    #[test]
    fn photos_for_the_inbox_take_only_their_texts() {
        let draft = with(
            vec![image()],
            json!({ "post_mode": "MEDIA_UPLOAD", "title": "Wind" }),
        );
        let order = order(&platform(), &draft, Transfer::Pull).unwrap();
        assert_eq!(order.body["post_mode"], "MEDIA_UPLOAD");
        let texts = json!({ "title": "Wind", "description": "Kite day #kites" });
        assert_eq!(order.body["post_info"], texts);
        assert_eq!(order.body.get("is_aigc"), None);
    }

    #[test]
    fn a_post_without_media_sizes_or_addresses_is_not_sent() {
        assert!(order(&platform(), &draft(vec![]), Transfer::Pull).is_none());
        let mut unsized_video = video();
        unsized_video.size_bytes = None;
        assert!(order(&platform(), &draft(vec![unsized_video]), Transfer::Upload).is_none());
        let access = Secret::new("act.1");
        let platform = platform();
        let grant = Grant {
            platform: &platform,
            access: &access,
        };
        let draft = draft(vec![image(), image()]);
        let handover = Handover {
            draft: &draft,
            transfer: Transfer::Pull,
            urls: vec!["https://m.example/0".to_owned()],
        };
        assert!(Order::of(grant, &handover).is_none());
    }

    #[test]
    fn the_plan_of_pieces_meets_both_readings_of_the_providers_limits() {
        const MIB: u64 = 1024 * 1024;
        let sizes = (1..=400).map(|n| n * 10_000_019);
        for size in sizes.chain([
            1,
            5_000_000,
            64_000_000,
            64_000_001,
            64 * MIB,
            64 * MIB + 1,
            4_000_000_000,
        ]) {
            let mut video = video();
            video.size_bytes = Some(size);
            let plan = plan(&video).unwrap();
            let last = size - plan.chunk_bytes * (plan.chunk_count - 1);
            assert_eq!(plan.chunk_count, size / plan.chunk_bytes, "{size}");
            assert!((1..=1000).contains(&plan.chunk_count), "{size}");
            assert!(plan.chunk_bytes <= 64_000_000 && last <= 128_000_000, "{size}");
            assert!(plan.chunk_count > 1 || plan.chunk_bytes == size, "{size}");
            assert!(plan.chunk_count == 1 || plan.chunk_bytes >= 5 * MIB, "{size}");
            assert!(size <= 64_000_000 || plan.chunk_count > 1, "{size}");
        }
    }
}
