//! Everything about a draft that an account would refuse, found before anything is sent. Every message names what was
//! measured and what is allowed.

use playout_domain::error::{Issue, PathStep};
use playout_domain::media::{Media, MediaType, Probe};
use playout_domain::platform::{Capability, Platform, Strictness, utf16_length};
use playout_domain::post::{CommentDraft, Draft};
use playout_domain::provider::{Part, Problem};

use crate::schema;
use crate::settings::{self, PostMode, SELF_ONLY, Settings, name};

/// UTF-16 code units of a caption.
pub(crate) const MAX_CAPTION: u32 = 2200;
/// UTF-16 code units of a photo post's title.
pub(crate) const MAX_TITLE: u32 = 90;
/// UTF-16 code units of a comment.
const MAX_COMMENT: u32 = 150;
pub(crate) const MAX_IMAGES: u32 = 35;
pub(crate) const MAX_IMAGE_BYTES: u64 = 20_000_000;
const MAX_VIDEO_BYTES: u64 = 4_000_000_000;
/// Pixels of each side of a video.
const VIDEO_SIDE: std::ops::RangeInclusive<u32> = 360..=4096;
/// Pictures a second. Measured rates scatter around the nominal 23.976, 59.94 and 60.
const FRAME_RATE: std::ops::RangeInclusive<f64> = 22.95..=60.05;
const CODECS: [&str; 4] = ["h264", "h265", "vp8", "vp9"];
/// The longest video that the inbox takes.
pub(crate) const MAX_INBOX_SECS: u64 = 600;

/// All problems, in the order of the request's fields. A draft is only checked for the types of its settings.
pub(crate) fn problems(platform: &Platform, draft: &Draft, strictness: Strictness) -> Vec<Problem> {
    let typed = schema::of(platform).check_settings(&draft.settings, strictness);
    let settings = of_part(Part::Settings, typed);
    if strictness == Strictness::TypesOnly {
        return settings;
    }
    let effective = Settings::of(platform, &draft.settings);
    let mut found = of_part(Part::Content, content(&draft.content));
    found.extend(of_part(Part::Media, media(platform, draft, effective.mode())));
    found.extend(settings);
    found.extend(of_part(Part::Settings, combinations(platform, draft)));
    found.extend(of_part(Part::Comments, comments(platform, &draft.comments)));
    found
}

fn of_part(part: Part, issues: Vec<Issue>) -> Vec<Problem> {
    issues.into_iter().map(|issue| Problem { part, issue }).collect()
}

fn content(text: &str) -> Vec<Issue> {
    let length = utf16_length(text);
    if text.trim().is_empty() {
        vec![Issue::field("content", "must not be empty")]
    } else if length > MAX_CAPTION {
        vec![Issue::field("content", too_long(length, MAX_CAPTION))]
    } else {
        Vec::new()
    }
}

fn too_long(length: u32, most: u32) -> String {
    format!("must be at most {most} characters (UTF-16 code units); it has {length}")
}

fn media(platform: &Platform, draft: &Draft, mode: PostMode) -> Vec<Issue> {
    let mut issues: Vec<Issue> = set_problem(&draft.media)
        .map(|problem| Issue::field("mediaIds", problem))
        .into_iter()
        .collect();
    for (index, item) in draft.media.iter().enumerate() {
        let found = match item.mime.media_type() {
            MediaType::Image => image_problems(item),
            MediaType::Video => video_problems(item, longest(platform, mode)),
            MediaType::Audio | MediaType::File => vec!["must be a photo or a video".to_owned()],
        };
        issues.extend(
            found
                .into_iter()
                .map(|problem| Issue::at(["mediaIds".into(), index.into()], problem)),
        );
    }
    issues
}

fn set_problem(media: &[Media]) -> Option<String> {
    let videos = media
        .iter()
        .filter(|item| item.mime.media_type() == MediaType::Video)
        .count();
    let images = media.len() - videos;
    let most = usize::try_from(MAX_IMAGES).unwrap_or(usize::MAX);
    match (videos, images) {
        (0, 0) => Some("must hold one video or 1 to 35 photos; there are none".to_owned()),
        (1.., 1..) => Some(format!(
            "must hold either one video or photos; there are {videos} of the one and {images} of the other"
        )),
        (2.., 0) => Some(format!("must hold at most one video; there are {videos}")),
        (0, count) if count > most => Some(format!("must hold at most {most} photos; there are {count}")),
        _ => None,
    }
}

fn image_problems(image: &Media) -> Vec<String> {
    let size = image.size_bytes.filter(|size| *size > MAX_IMAGE_BYTES);
    size.map(|size| format!("must be at most 20 MB; it has {}", megabytes(size)))
        .into_iter()
        .collect()
}

fn video_problems(video: &Media, longest_secs: Option<u64>) -> Vec<String> {
    let empty = Probe::default();
    let probe = video.probe.as_ref().unwrap_or(&empty);
    [
        video
            .size_bytes
            .filter(|size| *size > MAX_VIDEO_BYTES)
            .map(|size| format!("must be at most 4 GB; it has {}", megabytes(size))),
        side_problem(probe),
        codec_problem(probe),
        rate_problem(probe),
        longest_secs.and_then(|secs| duration_problem(probe, secs)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn side_problem(probe: &Probe) -> Option<String> {
    let (width, height) = (probe.width?, probe.height?);
    let fits = VIDEO_SIDE.contains(&width) && VIDEO_SIDE.contains(&height);
    (!fits).then(|| format!("must be 360 to 4096 pixels wide and high; it is {width}×{height}"))
}

fn codec_problem(probe: &Probe) -> Option<String> {
    let codec = probe.video_codec.as_deref()?;
    let known = CODECS.iter().any(|known| known.eq_ignore_ascii_case(codec));
    (!known).then(|| format!("must be encoded as H.264, H.265, VP8 or VP9; it is {codec}"))
}

fn rate_problem(probe: &Probe) -> Option<String> {
    let rate = probe.frame_rate?;
    (!FRAME_RATE.contains(&rate)).then(|| format!("must have 23 to 60 pictures a second; it has {rate:.2}"))
}

fn duration_problem(probe: &Probe, longest_secs: u64) -> Option<String> {
    let millis = probe.duration_ms?;
    (millis > longest_secs.saturating_mul(1000)).then(|| {
        let tenths = millis.div_ceil(100);
        format!(
            "must be at most {longest_secs} s long; it is {}.{} s",
            tenths / 10,
            tenths % 10
        )
    })
}

fn longest(platform: &Platform, mode: PostMode) -> Option<u64> {
    match mode {
        PostMode::Direct => settings::longest_video_secs(platform),
        PostMode::Inbox => Some(MAX_INBOX_SECS),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10)
}

/// Settings that are right by themselves and wrong together, or with the media.
fn combinations(platform: &Platform, draft: &Draft) -> Vec<Issue> {
    let settings = Settings::of(platform, &draft.settings);
    let found = [
        (name::PRIVACY, privacy_problem(platform, draft)),
        (name::PHOTO_COVER, photo_cover_problem(settings, &draft.media)),
        (name::VIDEO_COVER, video_cover_problem(settings, &draft.media)),
    ];
    let at = |(name, problem): (&'static str, Option<String>)| {
        problem.map(|problem| Issue::at(["settings".into(), name.into()], problem))
    };
    found.into_iter().filter_map(at).collect()
}

/// Drafts for the inbox carry no privacy: the creator chooses it there.
fn privacy_problem(platform: &Platform, draft: &Draft) -> Option<String> {
    let settings = Settings::of(platform, &draft.settings);
    if settings.mode() == PostMode::Inbox {
        return None;
    }
    let privacy = settings.privacy();
    if settings.is_on(name::BRANDED) && privacy == SELF_ONLY {
        return Some(
            "Branded content visibility cannot be set to private. Choose another privacy_level than SELF_ONLY.".to_owned(),
        );
    }
    let options = settings::privacy_options(platform);
    let is_offered = options.iter().any(|option| option == privacy);
    let is_checked = draft
        .settings
        .get(name::PRIVACY)
        .is_some_and(|given| !given.is_null());
    (!is_offered && !is_checked).then(|| format!("must be chosen: one of {}", options.join(", ")))
}

fn photo_cover_problem(settings: Settings<'_>, media: &[Media]) -> Option<String> {
    let index = settings.number(name::PHOTO_COVER)?;
    let photos = media
        .iter()
        .filter(|item| item.mime.media_type() == MediaType::Image)
        .count();
    let is_there = usize::try_from(index).is_ok_and(|index| index < photos);
    (photos > 0 && !is_there).then(|| format!("must be at most {}: there are {photos} photos", photos - 1))
}

fn video_cover_problem(settings: Settings<'_>, media: &[Media]) -> Option<String> {
    let at = settings.number(name::VIDEO_COVER)?;
    let video = media
        .iter()
        .find(|item| item.mime.media_type() == MediaType::Video)?;
    let length = video.probe.as_ref()?.duration_ms?;
    (at > length).then(|| format!("must be at most {length}, the video's length in milliseconds; it is {at}"))
}

fn comments(platform: &Platform, comments: &[CommentDraft]) -> Vec<Issue> {
    if comments.is_empty() {
        return Vec::new();
    }
    if !platform.can(Capability::Comments) {
        let reason = "must be empty: TikTok lets this account post no comments through apps";
        return vec![Issue::field("comments", reason)];
    }
    let each = comments.iter().enumerate();
    each.flat_map(|(index, comment)| comment_problems(index, comment))
        .collect()
}

fn comment_problems(index: usize, comment: &CommentDraft) -> Vec<Issue> {
    let at = |field: &'static str| -> [PathStep; 3] { ["comments".into(), index.into(), field.into()] };
    let mut issues = Vec::new();
    let length = utf16_length(&comment.content);
    if comment.content.trim().is_empty() {
        issues.push(Issue::at(at("content"), "must not be empty"));
    } else if length > MAX_COMMENT {
        issues.push(Issue::at(at("content"), too_long(length, MAX_COMMENT)));
    }
    if !comment.media.is_empty() {
        let problem = format!(
            "must be empty: comments carry no media; there are {}",
            comment.media.len()
        );
        issues.push(Issue::at(at("mediaIds"), problem));
    }
    issues
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use playout_domain::media::{MediaStatus, MimeType};
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
            file_name: "file".to_owned(),
            status: MediaStatus::Ready,
            probe: Some(probe),
            sha256: None,
            finalized_at: None,
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
        let problems = problems(platform, draft, Strictness::Full);
        let shown = |issue: &Issue| serde_json::to_string(&issue.path).unwrap();
        problems
            .into_iter()
            .map(|p| (p.part, shown(&p.issue), p.issue.message))
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
            assert!(message.starts_with("Branded content visibility cannot be set to private."));
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

    #[test]
    fn comments_need_an_account_that_can_post_them() {
        let mut post = draft(vec![video()]);
        post.comments = vec![comment("First!")];
        let (part, path, _) = only(&post);
        assert_eq!((part, path.as_str()), (Part::Comments, r#"["comments"]"#));
        let mut able = platform();
        able.capabilities = ALL.to_vec();
        assert_eq!(found(&able, &post), []);
    }

    #[test]
    fn a_comment_is_short_and_carries_no_media() {
        let mut able = platform();
        able.capabilities = ALL.to_vec();
        let mut post = draft(vec![video()]);
        let mut pictured = comment("Look");
        pictured.media = vec![Uuid::nil().into()];
        post.comments = vec![comment("ok"), comment(&"x".repeat(151)), pictured, comment("")];
        let paths: Vec<String> = found(&able, &post).into_iter().map(|(_, path, _)| path).collect();
        assert_eq!(
            paths,
            [
                r#"["comments",1,"content"]"#,
                r#"["comments",2,"mediaIds"]"#,
                r#"["comments",3,"content"]"#
            ]
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
        let lenient = problems(&platform(), &post, Strictness::TypesOnly);
        let paths: Vec<String> = lenient.iter().map(|p| format!("{:?}", p.issue.path[1])).collect();
        assert_eq!(lenient.len(), 2, "{paths:?}");
        assert!(lenient.iter().all(|p| p.part == Part::Settings));
    }
}
