//! All ways to publish: what the provider really received, settings and bytes, and which way the attempts record.

use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::platform::{Capability, Connection};
use playout_domain::provider::{AccountProfile, TokenSet};
use playout_domain::secret::Secret;
use playout_store::{ConnectPlatform, NewConnection};
use playout_tiktok::sim::{Kind, Mode, PostInfo, Publication};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{CLIP, Db, Options, TestApp, on_both, post_body};

on_both!(
    a_video_goes_out_directly_by_upload,
    a_video_goes_out_directly_by_pull,
    what_a_post_does_not_allow_is_off,
    photos_go_out_directly_in_their_order,
    a_video_goes_to_the_inbox_by_upload_without_texts,
    a_video_goes_to_the_inbox_by_pull_without_texts,
    photos_go_to_the_inbox_with_title_and_caption_alone,
);

const TEXT: &str = "First flight #kites";

async fn world(db: Db, transfer: &str) -> (TestApp, String) {
    let t = TestApp::start_with(db, Options::default().set("tiktok_transfer", transfer)).await;
    let platform = t.connect("kitestudio").await;
    (t, platform)
}

/// Publishes with these settings; returns what came out and the only attempt.
async fn publish(t: &TestApp, platform: &str, media: &[String], settings: Value) -> (Publication, Value) {
    let mut body = post_body(platform, media);
    body["settings"] = settings;
    let post = t.api.create_post(&body).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    let mut out = t.sim.publications();
    assert_eq!(out.len(), 1);
    let mut tries = t.attempts_of(&post).await;
    assert_eq!(tries.len(), 1, "{tries:#?}");
    (out.remove(0), tries.remove(0))
}

fn travelled(tried: &Value, transfer: &str, why: &str) {
    assert_eq!(tried["transfer"], transfer, "{tried:#}");
    assert!(
        tried["transferReason"].as_str().unwrap().contains(why),
        "{tried:#}"
    );
}

/// Every setting of a video, none with its default.
fn video_settings() -> Value {
    json!({
        "privacy_level": "MUTUAL_FOLLOW_FRIENDS", "allow_comment": true, "allow_duet": true, "allow_stitch": true,
        "brand_content_toggle": true, "brand_organic_toggle": true, "is_aigc": true, "video_cover_timestamp_ms": 1500,
    })
}

fn video_info() -> PostInfo {
    PostInfo {
        title: TEXT.to_owned(),
        privacy_level: "MUTUAL_FOLLOW_FRIENDS".to_owned(),
        brand_content_toggle: true,
        brand_organic_toggle: true,
        is_aigc: true,
        video_cover_timestamp_ms: 1500,
        ..PostInfo::default()
    }
}

fn is_the_clip(out: &Publication) {
    assert_eq!((out.kind, out.media.len()), (Kind::Video, 1));
    assert_eq!(out.media[0].sha256, hex::encode(Sha256::digest(CLIP)));
    assert_eq!(out.media[0].content_type, "video/mp4");
}

/// A video to the inbox and what the creator makes of it there.
async fn inbox_video(db: Db, transfer: &str, why: &str) {
    let (t, platform) = world(db, transfer).await;
    let mut body = post_body(&platform, &[t.api.upload_clip().await]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD", "is_aigc": true });
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    let delivered = t.sim.inbox_deliveries().remove(0);
    assert_eq!(
        (
            delivered.kind,
            delivered.title.as_str(),
            delivered.description.as_str()
        ),
        (Kind::Video, "", "")
    );
    assert!(
        t.sim
            .finish_draft(&delivered.publish_id, Some("My words"), "PUBLIC_TO_EVERYONE")
    );
    t.idle().await;
    let out = t.sim.publications().remove(0);
    is_the_clip(&out);
    assert_eq!((out.mode, out.caption.as_str()), (Mode::Draft, "My words"));
    let tries = t.attempts_of(&post).await;
    travelled(&tries[0], if transfer == "pull" { "pull" } else { "upload" }, why);
    assert_eq!(t.root(&post).await["releaseId"], out.post_id.as_str());
}

async fn a_video_goes_out_directly_by_upload(db: Db) {
    let (t, platform) = world(db, "auto").await;
    let clip = t.api.upload_clip().await;
    let (out, tried) = publish(&t, &platform, &[clip], video_settings()).await;
    is_the_clip(&out);
    assert_eq!((out.mode, out.info), (Mode::Direct, video_info()));
    travelled(&tried, "upload", "before its last byte");
}

async fn a_video_goes_out_directly_by_pull(db: Db) {
    let (t, platform) = world(db, "pull").await;
    let clip = t.api.upload_clip().await;
    let (out, tried) = publish(&t, &platform, &[clip], video_settings()).await;
    is_the_clip(&out);
    assert_eq!((out.mode, out.info), (Mode::Direct, video_info()));
    travelled(&tried, "pull", "PLAYOUT_TIKTOK_TRANSFER=pull");
}

async fn what_a_post_does_not_allow_is_off(db: Db) {
    let (t, platform) = world(db, "upload").await;
    let clip = t.api.upload_clip().await;
    let settings = json!({ "privacy_level": "SELF_ONLY" });
    let (out, tried) = publish(&t, &platform, &[clip], settings).await;
    let info = PostInfo {
        title: TEXT.to_owned(),
        privacy_level: "SELF_ONLY".to_owned(),
        disable_comment: true,
        disable_duet: true,
        disable_stitch: true,
        ..PostInfo::default()
    };
    assert_eq!(out.info, info);
    travelled(&tried, "upload", "PLAYOUT_TIKTOK_TRANSFER=upload");
}

async fn photos_go_out_directly_in_their_order(db: Db) {
    let (t, platform) = world(db, "upload").await;
    let photos = [
        t.api.upload_photo(720, 960).await,
        t.api.upload_photo(960, 720).await,
    ];
    let settings = json!({
        "privacy_level": "PUBLIC_TO_EVERYONE", "title": "Wind", "allow_comment": true, "auto_add_music": false,
        "photo_cover_index": 1, "brand_content_toggle": true, "is_aigc": true,
    });
    let (out, tried) = publish(&t, &platform, &photos, settings).await;
    let sizes: Vec<_> = out
        .media
        .iter()
        .map(|photo| (photo.width, photo.height))
        .collect();
    assert_eq!((out.kind, out.mode), (Kind::Photo, Mode::Direct));
    assert_eq!(sizes, [(720, 960), (960, 720)]);
    let info = PostInfo {
        title: "Wind".to_owned(),
        description: TEXT.to_owned(),
        privacy_level: "PUBLIC_TO_EVERYONE".to_owned(),
        photo_cover_index: 1,
        brand_content_toggle: true,
        is_aigc: true,
        // A photo's settings name neither duet nor stitch.
        ..PostInfo::default()
    };
    assert_eq!(out.info, info);
    travelled(&tried, "pull", "only by fetching");
}

async fn a_video_goes_to_the_inbox_by_upload_without_texts(db: Db) {
    inbox_video(db, "auto", "before its last byte").await;
}

async fn a_video_goes_to_the_inbox_by_pull_without_texts(db: Db) {
    inbox_video(db, "pull", "PLAYOUT_TIKTOK_TRANSFER=pull").await;
}

async fn photos_go_to_the_inbox_with_title_and_caption_alone(db: Db) {
    let (t, platform) = world(db, "auto").await;
    let photos = [
        t.api.upload_photo(720, 960).await,
        t.api.upload_photo(960, 720).await,
    ];
    let mut body = post_body(&platform, &photos);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD", "title": "Wind", "photo_cover_index": 1 });
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    let delivered = t.sim.inbox_deliveries().remove(0);
    let texts = (delivered.title.as_str(), delivered.description.as_str());
    assert_eq!(
        (delivered.kind, texts, delivered.media.len()),
        (Kind::Photo, ("Wind", TEXT), 2)
    );
    travelled(&t.attempts_of(&post).await[0], "pull", "only by fetching");
}

/// An account of the real provider, as if it had been connected: no request is sent to the provider here.
async fn real_account(t: &TestApp) -> String {
    let ends = t.now().plus(Duration::from_secs(86_400));
    let metadata = json!({ "username": "kitestudio", "privacyLevelOptions": ["SELF_ONLY"] });
    let connection = NewConnection {
        connection: Connection::Creator,
        provider: "tiktok".to_owned(),
        profile: AccountProfile {
            provider_account_id: "-000AbC".to_owned(),
            display_name: Some("Kite Studio".to_owned()),
            display_handle: None,
            display_image_url: None,
            capabilities: vec![Capability::Video, Capability::Photos, Capability::DirectPost],
            metadata: metadata.as_object().unwrap().clone(),
            unknown: &[],
        },
        tokens: TokenSet {
            provider_account_id: "-000AbC".to_owned(),
            access: Secret::new("act.1"),
            access_expires_at: ends,
            refresh: None,
            refresh_expires_at: None,
            scopes: vec!["video.publish".to_owned()],
        },
        default_settings: Map::new(),
        account_limit: None,
        by: None,
    };
    let connected = t
        .app
        .store
        .connect_platform(t.workspace.id, &connection, &Actor::operator(), t.now())
        .await;
    match connected.unwrap() {
        ConnectPlatform::Connected { id, .. } => id.to_string(),
        refused => panic!("{refused:?}"),
    }
}

#[tokio::test]
async fn photos_that_the_real_provider_could_never_fetch_are_refused_beforehand_with_what_to_do() {
    let options = Options::default().set("tiktok_api_url", "https://open.tiktokapis.com");
    let t = TestApp::start_with(Db::Sqlite, options).await;
    let platform = real_account(&t).await;
    let photo = t.api.upload_photo(720, 960).await;
    let mut body = post_body(&platform, &[photo]);
    body["settings"] = json!({ "privacy_level": "SELF_ONLY" });
    for path in ["/public/v1/posts/validate", "/public/v1/posts"] {
        let answer = t.api.post(path, &body).await.ok();
        let error = &answer["results"][0]["error"];
        assert_eq!(error["code"], "invalid_media", "{path}: {answer:#}");
        let text = error["details"][0]["message"].as_str().unwrap();
        assert!(
            text.contains("operator") && text.contains("PLAYOUT_BASE_URL"),
            "{text}"
        );
    }
    body["mode"] = json!("draft");
    t.api.create_post(&body).await;
    (body["mode"], body["mediaIds"]) = (json!("now"), json!([t.api.upload_clip().await]));
    let answer = t.api.post("/public/v1/posts/validate", &body).await.ok();
    assert_eq!(
        answer["results"][0]["status"], "valid",
        "a video is uploaded: {answer:#}"
    );
}
