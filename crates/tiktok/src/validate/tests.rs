use super::*;
use playout_domain::media::{MediaStatus, MimeType, Probe};
use playout_domain::time::Time;
use serde_json::{Value, json};
use uuid::Uuid;

const ALL: [Capability; 5] = [
    Capability::Video,
    Capability::Photos,
    Capability::DirectPost,
    Capability::InboxDraft,
    Capability::Comments,
];

/// A public account in good standing, without comments.
pub(crate) fn platform() -> Platform {
    let metadata = json!({
        "username": "kitestudio",
        "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
        "commentDisabled": false, "duetDisabled": false, "stitchDisabled": false,
        "maxVideoPostDurationSec": 300, "scopes": ["video.publish", "video.upload", "video.list"]
    });
    Platform {
        id: Uuid::nil().into(),
        provider: "tiktok".to_owned(),
        connection: Connection::Creator,
        provider_account_id: "-000AbC".to_owned(),
        display_name: None,
        display_handle: Some("kitestudio".to_owned()),
        display_image_url: None,
        disabled: false,
        refresh_needed: false,
        token_expires_at: None,
        capabilities: ALL[..4].to_vec(),
        metadata: metadata.as_object().unwrap().clone(),
        settings: serde_json::Map::new(),
        created_at: Time::from_secs(1),
    }
}

pub(crate) fn draft(media: Vec<Media>) -> Draft {
    Draft {
        content: "Kite day #kites".to_owned(),
        media,
        settings: serde_json::Map::new(),
        comments: Vec::new(),
    }
}

fn media(mime: MimeType, probe: Probe) -> Media {
    Media {
        id: Uuid::nil().into(),
        storage_key: "key".to_owned(),
        preview_key: None,
        mime,
        size_bytes: Some(1_000_000),
        received_bytes: None,
        file_name: "file".to_owned(),
        status: MediaStatus::Ready,
        probe: Some(probe),
        sha256: None,
        finalized_at: None,
        failure: None,
        folder_id: None,
        created_at: Time::from_secs(1),
    }
}

pub(crate) fn video() -> Media {
    let probe = Probe {
        width: Some(1080),
        height: Some(1920),
        duration_ms: Some(15_000),
        video_codec: Some("h264".to_owned()),
        frame_rate: Some(29.97),
        ..Probe::default()
    };
    media(MimeType::Mp4, probe)
}

pub(crate) fn image() -> Media {
    let probe = Probe {
        width: Some(4000),
        height: Some(6000),
        ..Probe::default()
    };
    media(MimeType::Jpeg, probe)
}

fn video_with(change: impl FnOnce(&mut Probe)) -> Media {
    let mut video = video();
    change(video.probe.as_mut().unwrap());
    video
}

fn with(media: Vec<Media>, settings: Value) -> Draft {
    let mut draft = draft(media);
    draft.settings = settings.as_object().unwrap().clone();
    draft
}

/// Part, path and message of every problem.
fn found(platform: &Platform, draft: &Draft) -> Vec<(Part, String, String)> {
    let problems = problems(platform, draft, Strictness::Full, None);
    let shown = |issue: &Issue| serde_json::to_string(&issue.path).unwrap();
    problems
        .into_iter()
        .map(|p| (p.part, shown(&p.issue), p.issue.message.into_owned()))
        .collect()
}

fn only(draft: &Draft) -> (Part, String, String) {
    let mut found = found(&platform(), draft);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_video_and_a_slideshow_of_any_allowed_size_pass() {
    assert_eq!(found(&platform(), &draft(vec![video()])), []);
    assert_eq!(found(&platform(), &draft(vec![image()])), []);
    assert_eq!(found(&platform(), &draft(vec![image(); 35])), []);
}

#[test]
fn a_caption_is_counted_in_utf16_units() {
    let mut post = draft(vec![video()]);
    post.content = "🪁".repeat(1100);
    assert_eq!(found(&platform(), &post), []);
    post.content.push('!');
    let (part, path, message) = only(&post);
    assert_eq!((part, path.as_str()), (Part::Content, r#"["content"]"#));
    assert!(message.contains("2200") && message.contains("2201"), "{message}");
    post.content = " \n".to_owned();
    assert_eq!(only(&post).1, r#"["content"]"#);
}

#[test]
fn one_video_or_up_to_35_photos_are_taken_and_no_mix() {
    for (media, measured) in [
        (vec![], "none"),
        (vec![video(), video()], "2"),
        (vec![image(); 36], "36"),
        (vec![video(), image(), image()], "1"),
    ] {
        let (part, path, message) = only(&draft(media));
        assert_eq!((part, path.as_str()), (Part::Media, r#"["mediaIds"]"#));
        assert!(message.contains(measured), "{message}");
    }
}

#[test]
fn every_limit_of_a_video_is_checked_and_named_with_what_was_measured() {
    for (video, allowed, measured) in [
        (video_with(|p| p.width = Some(359)), "360", "359×1920"),
        (video_with(|p| p.height = Some(4097)), "4096", "1080×4097"),
        (video_with(|p| p.frame_rate = Some(15.0)), "23", "15.00"),
        (video_with(|p| p.frame_rate = Some(120.0)), "60", "120.00"),
        (
            video_with(|p| p.video_codec = Some("av1".to_owned())),
            "H.264",
            "av1",
        ),
        (video_with(|p| p.duration_ms = Some(300_001)), "300 s", "300.1 s"),
    ] {
        let (part, path, message) = only(&draft(vec![video]));
        assert_eq!((part, path.as_str()), (Part::Media, r#"["mediaIds",0]"#));
        assert!(
            message.contains(allowed) && message.contains(measured),
            "{message}"
        );
    }
}

#[test]
fn values_at_the_limits_pass() {
    for video in [
        video_with(|p| (p.width, p.height) = (Some(360), Some(4096))),
        video_with(|p| p.frame_rate = Some(23.976)),
        video_with(|p| p.frame_rate = Some(59.94)),
        video_with(|p| p.frame_rate = Some(60.0)),
        video_with(|p| p.duration_ms = Some(300_000)),
        video_with(|p| p.video_codec = Some("h265".to_owned())),
        video_with(|p| *p = Probe::default()),
    ] {
        assert_eq!(found(&platform(), &draft(vec![video])), []);
    }
}

#[test]
fn files_beyond_the_providers_sizes_are_refused() {
    let mut large = image();
    large.size_bytes = Some(20_000_001);
    let (_, path, message) = only(&draft(vec![image(), large]));
    assert_eq!(path, r#"["mediaIds",1]"#);
    assert!(message.contains("20 MB"), "{message}");
    let mut large = video();
    large.size_bytes = Some(4_000_000_001);
    assert!(only(&draft(vec![large])).2.contains("4 GB"));
}

#[test]
fn the_inbox_takes_ten_minutes_whatever_the_account_allows() {
    let post = |secs: u64| {
        let video = video_with(|p| p.duration_ms = Some(secs * 1000));
        with(vec![video], json!({ "post_mode": "MEDIA_UPLOAD" }))
    };
    assert_eq!(found(&platform(), &post(600)), []);
    assert!(only(&post(601)).2.contains("600 s"));
}

#[test]
fn branded_content_cannot_be_private_not_even_by_default() {
    for settings in [
        json!({ "brand_content_toggle": true }),
        json!({ "brand_content_toggle": true, "privacy_level": "SELF_ONLY" }),
    ] {
        let (part, path, message) = only(&with(vec![video()], settings));
        assert_eq!(
            (part, path.as_str()),
            (Part::Settings, r#"["settings","privacy_level"]"#)
        );
        assert!(
            message.contains("branded content visibility cannot be set to private"),
            "{message}"
        );
    }
    let public = json!({ "brand_content_toggle": true, "privacy_level": "PUBLIC_TO_EVERYONE" });
    assert_eq!(found(&platform(), &with(vec![video()], public)), []);
    let inbox = json!({ "brand_content_toggle": true, "post_mode": "MEDIA_UPLOAD" });
    assert_eq!(found(&platform(), &with(vec![video()], inbox)), []);
}

#[test]
fn privacy_must_be_among_the_accounts_options() {
    let chosen = json!({ "privacy_level": "FOLLOWER_OF_CREATOR" });
    let (_, path, message) = only(&with(vec![video()], chosen));
    assert_eq!(path, r#"["settings","privacy_level"]"#);
    assert!(message.contains("PUBLIC_TO_EVERYONE"), "{message}");
    let mut open = platform();
    open.metadata
        .insert("privacyLevelOptions".to_owned(), json!(["PUBLIC_TO_EVERYONE"]));
    let problems = found(&open, &draft(vec![video()]));
    assert_eq!(problems[0].2, "must be chosen: one of PUBLIC_TO_EVERYONE");
}

#[test]
fn covers_must_lie_inside_the_post() {
    let index = |n: u32| with(vec![image(); 3], json!({ "photo_cover_index": n }));
    assert_eq!(found(&platform(), &index(2)), []);
    assert_eq!(only(&index(3)).2, "must be at most 2: there are 3 photos");
    let at = |ms: u32| with(vec![video()], json!({ "video_cover_timestamp_ms": ms }));
    assert_eq!(found(&platform(), &at(15_000)), []);
    assert_eq!(only(&at(15_001)).1, r#"["settings","video_cover_timestamp_ms"]"#);
    let unrelated = with(vec![video()], json!({ "photo_cover_index": 9 }));
    assert_eq!(found(&platform(), &unrelated), []);
}

#[test]
fn a_photo_title_has_at_most_90_units() {
    let titled = |length: usize| with(vec![image()], json!({ "title": "x".repeat(length) }));
    assert_eq!(found(&platform(), &titled(90)), []);
    assert_eq!(only(&titled(91)).1, r#"["settings","title"]"#);
}

fn comment(content: &str) -> CommentDraft {
    CommentDraft {
        content: content.to_owned(),
        delay_minutes: None,
        settings: serde_json::Map::new(),
        media: Vec::new(),
    }
}

/// The same account by the business connection, which takes comments.
fn business() -> Platform {
    Platform {
        connection: Connection::Business,
        capabilities: ALL.to_vec(),
        ..platform()
    }
}

/// A post that takes comments, and has these.
fn commented(media: Vec<Media>, comments: &[&str]) -> Draft {
    let settings = json!({ "allow_comment": true });
    let mut post = with(media, settings);
    post.comments = comments.iter().map(|text| comment(text)).collect();
    post
}

fn paths(platform: &Platform, draft: &Draft) -> Vec<String> {
    found(platform, draft)
        .into_iter()
        .map(|(_, path, _)| path)
        .collect()
}

#[test]
fn comments_need_an_account_that_can_post_them() {
    let post = commented(vec![video()], &["First!"]);
    let (part, path, _) = only(&post);
    assert_eq!((part, path.as_str()), (Part::Comments, r#"["comments"]"#));
    assert_eq!(found(&business(), &post), []);
}

#[test]
fn a_comment_is_short_and_carries_no_media() {
    let kite = "\u{1fa81}";
    let mut post = commented(
        vec![video()],
        &[
            "ok",
            &"x".repeat(151),
            "Look",
            "",
            &kite.repeat(75),
            &kite.repeat(76),
        ],
    );
    post.comments[2].media = vec![Uuid::nil().into()];
    assert_eq!(
        paths(&business(), &post),
        [
            r#"["comments",1,"content"]"#,
            r#"["comments",2,"mediaIds"]"#,
            r#"["comments",3,"content"]"#,
            r#"["comments",5,"content"]"#
        ],
        "what counts is UTF-16 code units"
    );
}

#[test]
fn comments_need_a_public_post_that_allows_them() {
    let closed = |settings: Value| {
        let mut post = commented(vec![video()], &["First!"]);
        post.settings = settings.as_object().unwrap().clone();
        post
    };
    let at = |name: &str| vec![format!(r#"["settings","{name}"]"#)];
    assert_eq!(paths(&business(), &closed(json!({}))), at("allow_comment"));
    assert_eq!(
        paths(&business(), &closed(json!({ "allow_comment": false }))),
        at("allow_comment")
    );
    assert_eq!(
        found(&business(), &closed(json!({ "post_mode": "MEDIA_UPLOAD" }))),
        [],
        "the creator decides there"
    );
    let mut forbidding = business();
    forbidding
        .metadata
        .insert("commentDisabled".to_owned(), json!(true));
    let (_, _, message) = found(&forbidding, &commented(vec![video()], &["First!"])).remove(0);
    assert!(message.contains("forbid comments"), "{message}");
    let photos = commented(vec![image()], &["First!"]);
    assert_eq!(
        paths(&business(), &photos),
        at("privacy_level"),
        "photos are private unless they say otherwise"
    );
    let mut public = photos;
    public
        .settings
        .insert("privacy_level".to_owned(), json!("PUBLIC_TO_EVERYONE"));
    assert_eq!(found(&business(), &public), []);
}

#[test]
fn a_video_of_a_business_account_is_public_and_never_silently_so() {
    for privacy in [json!(null), json!("PUBLIC_TO_EVERYONE")] {
        let post = with(
            vec![video()],
            json!({ "privacy_level": privacy, "brand_content_toggle": true }),
        );
        assert_eq!(found(&business(), &post), [], "{privacy}");
    }
    let private = with(vec![video()], json!({ "privacy_level": "SELF_ONLY" }));
    let (part, path, message) = found(&business(), &private).remove(0);
    assert_eq!(
        (part, path.as_str()),
        (Part::Settings, r#"["settings","privacy_level"]"#)
    );
    assert!(message.contains("PUBLIC_TO_EVERYONE or absent"), "{message}");
    let mut careful = business();
    careful
        .settings
        .insert("privacy_level".to_owned(), json!("SELF_ONLY"));
    assert_eq!(
        paths(&careful, &draft(vec![video()])),
        std::slice::from_ref(&path),
        "the account's default counts"
    );
    let inbox = with(
        vec![video()],
        json!({ "privacy_level": "SELF_ONLY", "post_mode": "MEDIA_UPLOAD" }),
    );
    assert_eq!(found(&business(), &inbox), []);
    let photos = with(vec![image()], json!({ "privacy_level": "SELF_ONLY" }));
    assert_eq!(found(&business(), &photos), []);
}

#[test]
fn the_business_api_takes_smaller_videos_of_three_seconds_or_more() {
    let message = |video: Media| found(&business(), &draft(vec![video])).remove(0).2;
    let mut large = video();
    large.size_bytes = Some(1_000_000_001);
    assert!(message(large).contains("1 GB"));
    assert!(message(video_with(|p| p.duration_ms = Some(2_999))).contains("at least 3 s long; it is 2.9 s"));
    let mut generous = business();
    generous
        .metadata
        .insert("maxVideoPostDurationSec".to_owned(), json!(3600));
    let long = draft(vec![video_with(|p| p.duration_ms = Some(600_001))]);
    assert!(found(&generous, &long).remove(0).2.contains("600 s"));
    assert_eq!(
        found(
            &business(),
            &draft(vec![video_with(|p| p.duration_ms = Some(3_000))])
        ),
        []
    );
}

#[test]
fn all_problems_are_found_at_once_and_a_draft_shows_only_wrong_types() {
    let settings = json!({ "privacy_level": 7, "photo_cover_index": 99, "allow_comment": "yes" });
    let mut post = with(vec![image(), video()], settings);
    post.content = String::new();
    post.comments = vec![comment("x")];
    let parts: Vec<Part> = found(&platform(), &post)
        .into_iter()
        .map(|(part, ..)| part)
        .collect();
    let settings = [Part::Settings; 3];
    assert_eq!(
        parts,
        [&[Part::Content, Part::Media][..], &settings, &[Part::Comments]].concat()
    );
    let lenient = problems(&platform(), &post, Strictness::TypesOnly, None);
    let paths: Vec<String> = lenient.iter().map(|p| format!("{:?}", p.issue.path[1])).collect();
    assert_eq!(lenient.len(), 2, "{paths:?}");
    assert!(lenient.iter().all(|p| p.part == Part::Settings));
}
