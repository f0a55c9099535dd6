//! Everything about a draft that an account would refuse, found before anything is sent. Every message names what was
//! measured and what is allowed.

mod video;

use playout_domain::error::{Issue, IssueCode, PathStep, Violation};
use playout_domain::media::{Media, MediaType};
use playout_domain::platform::{
    Capability, Connection, Platform, Strictness, check_settings, too_long, utf16_length,
};
use playout_domain::post::{CommentDraft, Draft};
use playout_domain::provider::{Part, Problem};
use playout_domain::text::is_blank;

use crate::schema;
use crate::settings::{self, EVERYONE, PostMode, SELF_ONLY, Settings, name};
use crate::sizes::{MAX_CAPTION, MAX_COMMENT, MAX_IMAGE_BYTES, MAX_IMAGES, VideoLimits, megabytes};

/// All problems, in the order of the request's fields; `transfer` is what keeps the media from reaching the provider. A draft is only
/// checked for the types of its settings.
pub(crate) fn problems(
    platform: &Platform,
    draft: &Draft,
    strictness: Strictness,
    transfer: Option<Problem>,
) -> Vec<Problem> {
    let mut typed = check_settings(&schema::fields(platform), &draft.settings, strictness);
    name_unknown_options(platform, &mut typed);
    let settings = of_part(Part::Settings, typed);
    if strictness == Strictness::TypesOnly {
        return settings;
    }
    let effective = Settings::of(platform, &draft.settings);
    let mut found = of_part(Part::Content, content(&draft.content));
    found.extend(of_part(Part::Media, media(platform, draft, effective.mode())));
    found.extend(transfer);
    found.extend(settings);
    found.extend(of_part(Part::Settings, combinations(platform, draft)));
    found.extend(of_part(Part::Comments, comments(platform, &draft.comments)));
    found
}

/// An account that was connected while the provider did not answer its options is taken to offer none but `SELF_ONLY`.
fn name_unknown_options(platform: &Platform, issues: &mut [Issue]) {
    let privacy = [PathStep::from("settings"), name::PRIVACY.into()];
    let is_not_offered = |issue: &&mut Issue| issue.path == privacy && issue.code == IssueCode::UnknownValue;
    for issue in issues.iter_mut().filter(is_not_offered) {
        issue.message.to_mut().push_str(&unknown_options(platform));
    }
}

/// What is added to a refusal of a privacy level while the account's options are not known.
fn unknown_options(platform: &Platform) -> String {
    if !platform.can(Capability::DirectPost) || settings::knows_privacy_options(platform) {
        return String::new();
    }
    format!(
        ", because the options of this account are not known yet: TikTok did not answer them when it was connected. Ask for them with GET \
         /public/v1/platforms/{}/health?refresh=true, then try again",
        platform.id
    )
}

fn of_part(part: Part, issues: Vec<Issue>) -> Vec<Problem> {
    issues.into_iter().map(|issue| Problem { part, issue }).collect()
}

fn content(text: &str) -> Vec<Issue> {
    let length = utf16_length(text);
    if is_blank(text) {
        vec![Issue::field(
            "content",
            IssueCode::Required.with("must have a visible character"),
        )]
    } else if length > MAX_CAPTION {
        vec![Issue::field("content", too_long(length, MAX_CAPTION))]
    } else {
        Vec::new()
    }
}

fn media(platform: &Platform, draft: &Draft, mode: PostMode) -> Vec<Issue> {
    let mut issues: Vec<Issue> = set_problem(&draft.media)
        .map(|problem| Issue::field("mediaIds", problem))
        .into_iter()
        .collect();
    for (index, item) in draft.media.iter().enumerate() {
        let found = match item.mime.media_type() {
            MediaType::Image => image_problems(item),
            MediaType::Video => video::problems(item, VideoLimits::of(platform, mode)),
            MediaType::Audio | MediaType::File => {
                vec![IssueCode::NotSupported.with("must be a photo or a video")]
            }
        };
        issues.extend(
            found
                .into_iter()
                .map(|problem| Issue::at(["mediaIds".into(), index.into()], problem)),
        );
    }
    issues
}

fn set_problem(media: &[Media]) -> Option<Violation> {
    let videos = media
        .iter()
        .filter(|item| item.mime.media_type() == MediaType::Video)
        .count();
    let images = media.len() - videos;
    let most = usize::try_from(MAX_IMAGES).unwrap_or(usize::MAX);
    match (videos, images) {
        (0, 0) => Some(IssueCode::Required.with("must hold one video or 1 to 35 photos; there are none")),
        (1.., 1..) => Some(IssueCode::Conflict.with(format!(
            "must hold either one video or photos; there are {videos} of the one and {images} of the other"
        ))),
        (2.., 0) => Some(IssueCode::TooLong.with(format!("must hold at most one video; there are {videos}"))),
        (0, count) if count > most => {
            Some(IssueCode::TooLong.with(format!("must hold at most {most} photos; there are {count}")))
        }
        _ => None,
    }
}

fn image_problems(image: &Media) -> Vec<Violation> {
    let size = image.size_bytes.filter(|size| *size > MAX_IMAGE_BYTES);
    size.map(|size| IssueCode::Range.with(format!("must be at most 20 MB; it has {}", megabytes(size))))
        .into_iter()
        .collect()
}

/// Settings that are right by themselves and wrong together, or with the media.
fn combinations(platform: &Platform, draft: &Draft) -> Vec<Issue> {
    let settings = Settings::of(platform, &draft.settings);
    let found = [
        (name::PRIVACY, privacy_problem(platform, draft)),
        (name::COMMENT, allow_comment_problem(platform, draft)),
        (name::PHOTO_COVER, photo_cover_problem(settings, &draft.media)),
        (name::VIDEO_COVER, video_cover_problem(settings, &draft.media)),
    ];
    let at = |(name, problem): (&'static str, Option<Violation>)| {
        problem.map(|problem| Issue::at(["settings".into(), name.into()], problem))
    };
    found.into_iter().filter_map(at).collect()
}

/// Drafts for the inbox carry no privacy: the creator chooses it there.
fn privacy_problem(platform: &Platform, draft: &Draft) -> Option<Violation> {
    let settings = Settings::of(platform, &draft.settings);
    if settings.mode() == PostMode::Inbox {
        return None;
    }
    let is_video = |media: &Media| media.mime.media_type() == MediaType::Video;
    if platform.connection == Connection::Business && draft.media.iter().any(is_video) {
        return public_video_problem(settings);
    }
    let privacy = settings.privacy();
    if has_comments(platform, draft) && privacy != EVERYONE {
        return Some(IssueCode::Conflict.with(format!(
            "must be {EVERYONE} where comments follow: TikTok takes them under public posts alone"
        )));
    }
    if settings.is_on(name::BRANDED) && privacy == SELF_ONLY {
        return Some(
            IssueCode::Conflict
                .with("must not be SELF_ONLY: branded content visibility cannot be set to private"),
        );
    }
    let options = settings::privacy_options(platform);
    let is_offered = options.iter().any(|option| option == privacy);
    let is_checked = draft
        .settings
        .get(name::PRIVACY)
        .is_some_and(|given| !given.is_null());
    (!is_offered && !is_checked).then(|| {
        let because = unknown_options(platform);
        IssueCode::Required.with(format!("must be chosen: one of {}{because}", options.join(", ")))
    })
}

/// The business API has no privacy setting for a video. Any level but public is rejected: the video would be public.
fn public_video_problem(settings: Settings<'_>) -> Option<Violation> {
    let asked = settings.text(name::PRIVACY)?;
    (asked != EVERYONE).then(|| {
        IssueCode::NotSupported.with(format!(
            "must be {EVERYONE} or absent for a video: an account of this connection publishes every video publicly; it is \
             {asked}"
        ))
    })
}

fn has_comments(platform: &Platform, draft: &Draft) -> bool {
    !draft.comments.is_empty() && platform.can(Capability::Comments)
}

/// Where comments are disabled, the account itself cannot comment either.
fn allow_comment_problem(platform: &Platform, draft: &Draft) -> Option<Violation> {
    let settings = Settings::of(platform, &draft.settings);
    let is_closed = settings.mode() == PostMode::Direct && !settings.allows(name::COMMENT);
    if !is_closed || !has_comments(platform, draft) {
        return None;
    }
    Some(match settings::is_forbidden(platform, name::COMMENT) {
        true => IssueCode::NotSupported
            .with("cannot be on, and comments cannot follow: this account's TikTok settings forbid comments"),
        false => IssueCode::Conflict.with("must be on where comments follow"),
    })
}

fn photo_cover_problem(settings: Settings<'_>, media: &[Media]) -> Option<Violation> {
    let index = settings.number(name::PHOTO_COVER)?;
    let photos = media
        .iter()
        .filter(|item| item.mime.media_type() == MediaType::Image)
        .count();
    let is_there = usize::try_from(index).is_ok_and(|index| index < photos);
    (photos > 0 && !is_there).then(|| {
        IssueCode::Range.with(format!(
            "must be at most {}: there are {photos} photos",
            photos - 1
        ))
    })
}

fn video_cover_problem(settings: Settings<'_>, media: &[Media]) -> Option<Violation> {
    let at = settings.number(name::VIDEO_COVER)?;
    let video = media
        .iter()
        .find(|item| item.mime.media_type() == MediaType::Video)?;
    let length = video.probe.as_ref()?.duration_ms?;
    (at > length).then(|| {
        IssueCode::Range.with(format!(
            "must be at most {length}, the video's length in milliseconds; it is {at}"
        ))
    })
}

fn comments(platform: &Platform, comments: &[CommentDraft]) -> Vec<Issue> {
    if comments.is_empty() {
        return Vec::new();
    }
    if !platform.can(Capability::Comments) {
        let reason = "must be empty: TikTok lets this account post no comments through apps";
        return vec![Issue::field("comments", IssueCode::NotSupported.with(reason))];
    }
    let each = comments.iter().enumerate();
    each.flat_map(|(index, comment)| comment_problems(index, comment))
        .collect()
}

fn comment_problems(index: usize, comment: &CommentDraft) -> Vec<Issue> {
    let at = |field: &'static str| -> [PathStep; 3] { ["comments".into(), index.into(), field.into()] };
    let mut issues = Vec::new();
    let length = utf16_length(&comment.content);
    if is_blank(&comment.content) {
        issues.push(Issue::at(
            at("content"),
            IssueCode::Required.with("must have a visible character"),
        ));
    } else if length > MAX_COMMENT {
        issues.push(Issue::at(at("content"), too_long(length, MAX_COMMENT)));
    }
    if !comment.media.is_empty() {
        let problem = format!(
            "must be empty: comments carry no media; there are {}",
            comment.media.len()
        );
        issues.push(Issue::at(at("mediaIds"), IssueCode::NotSupported.with(problem)));
    }
    issues
}

#[cfg(test)]
pub(crate) mod tests;
