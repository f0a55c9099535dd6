//! What an account accepts, in the words of the API (`docs/contract.md#platform-schema`), made from the options last
//! received for it.

use playout_domain::media::MediaType;
use playout_domain::platform::{
    Capability, CommentRules, Connection, Field, FieldKind, MediaRules, Platform, PlatformSchema,
};
use playout_domain::time::Time;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::account::key;
use crate::settings::{self, EVERYONE, PostMode, SELF_ONLY, name};
use crate::sizes::{self, VideoLimits};

/// The options of `privacy_level` (TikTok, "Content Posting API: Query Creator Info").
const PRIVACY_LEVELS: [&str; 4] = [
    EVERYONE,
    "MUTUAL_FOLLOW_FRIENDS",
    "FOLLOWER_OF_CREATOR",
    SELF_ONLY,
];

const BOTH: &[MediaType] = &[MediaType::Video, MediaType::Image];
const IMAGE: &[MediaType] = &[MediaType::Image];
const VIDEO: &[MediaType] = &[MediaType::Video];

/// The schema of `platform`.
pub(crate) fn of(platform: &Platform) -> PlatformSchema {
    let comments = platform.can(Capability::Comments);
    PlatformSchema {
        content_required: true,
        content_max_length: Some(sizes::MAX_CAPTION),
        media: MediaRules {
            required: true,
            allowed_types: BOTH.to_vec(),
            min_items: 1,
            max_items: sizes::MAX_IMAGES,
            supports_mixed_types: false,
            rules: rules(platform),
        },
        comments: CommentRules {
            supported: comments,
            media_supported: false,
            delay_supported: comments,
            max_length: comments.then_some(sizes::MAX_COMMENT),
        },
        fields: fields(platform),
    }
}

/// The settings of posts as a named JSON schema, for the reference: those of [`fields`], for accounts with every option. Other keys
/// are kept with the post (`docs/contract.md#setting-fields`).
pub fn settings_schema() -> (&'static str, Value) {
    let fields = fields(&with_every_option());
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| (field.name.to_owned(), property(field)))
        .collect();
    let schema = json!({
        "type": "object", "properties": properties, "additionalProperties": true,
        "description": "Settings of a TikTok account. Absent ones have the account's defaults; its schema has the options that it \
            offers."
    });
    ("TikTokSettings", schema)
}

fn property(field: &Field) -> Value {
    let mut property = match &field.kind {
        FieldKind::String => json!({ "type": "string" }),
        FieldKind::Boolean => json!({ "type": "boolean" }),
        FieldKind::Enum(options) => json!({ "type": "string", "enum": options }),
        FieldKind::Integer => json!({ "type": "integer" }),
    };
    property["description"] = field.description.as_ref().into();
    let bounds = [
        ("maxLength", field.max_length.map(i64::from)),
        ("minimum", field.minimum),
        ("maximum", field.maximum),
    ];
    for (name, bound) in bounds {
        if let Some(bound) = bound {
            property[name] = bound.into();
        }
    }
    property
}

/// An account that stands for all.
fn with_every_option() -> Platform {
    let metadata = Map::from_iter([(key::PRIVACY.to_owned(), json!(PRIVACY_LEVELS))]);
    Platform {
        id: Uuid::nil().into(),
        provider: "tiktok".to_owned(),
        connection: Connection::Creator,
        provider_account_id: String::new(),
        display_name: None,
        display_handle: None,
        display_image_url: None,
        disabled: false,
        refresh_needed: false,
        token_expires_at: None,
        capabilities: vec![Capability::DirectPost, Capability::InboxDraft],
        metadata,
        settings: Map::new(),
        created_at: Time::from_secs(0),
    }
}

/// The settings that it knows.
pub(crate) fn fields(platform: &Platform) -> Vec<Field> {
    let mut fields = vec![privacy_level(platform), post_mode(platform), title()];
    fields.extend(
        [
            (name::COMMENT, "Whether viewers may comment on the post.", BOTH),
            (
                name::DUET,
                "Whether viewers may make a duet with the video.",
                VIDEO,
            ),
            (name::STITCH, "Whether viewers may stitch the video.", VIDEO),
        ]
        .map(|(name, description, media)| audience(platform, name, description, media)),
    );
    fields.extend([
        switch(name::MUSIC, true, IMAGE, "Adds music that TikTok recommends; it can be changed later in the app."),
        number(name::PHOTO_COVER, IMAGE, "Which photo is the cover, counted from 0."),
        number(
            name::VIDEO_COVER,
            VIDEO,
            "Which frame is the cover, in milliseconds from the start of the video.",
        ),
        switch(
            name::BRANDED,
            false,
            BOTH,
            "The post is a paid partnership with a third party. It is labelled so, and its privacy cannot be SELF_ONLY.",
        ),
        switch(
            name::OWN_BRAND,
            false,
            BOTH,
            "The post promotes the creator's own business. It is labelled as promotional content.",
        ),
        switch(name::AI_MADE, false, ai_made(platform), "Labels the post as made with AI."),
    ]);
    for field in &mut fields {
        prefer_account_default(field, platform);
    }
    fields
}

fn privacy_level(platform: &Platform) -> Field {
    let (media, description) = match platform.connection {
        Connection::Creator => (BOTH, "Who can see the post. The options are the account's own."),
        Connection::Business => (
            IMAGE,
            "Who can see a photo post. The options are the account's own. A video is always public: TikTok's business API \
             has no privacy for it, so a video with another one is refused.",
        ),
    };
    Field {
        kind: FieldKind::Enum(settings::privacy_options(platform)),
        default: json!(SELF_ONLY),
        ..field(name::PRIVACY, media, description)
    }
}

/// The business API labels videos alone.
fn ai_made(platform: &Platform) -> &'static [MediaType] {
    match platform.connection {
        Connection::Creator => BOTH,
        Connection::Business => VIDEO,
    }
}

fn post_mode(platform: &Platform) -> Field {
    let modes = PostMode::of(platform);
    let words: Vec<String> = modes.iter().map(|mode| mode.as_str().to_owned()).collect();
    Field {
        default: json!(words.first()),
        kind: FieldKind::Enum(words),
        ..field(
            name::POST_MODE,
            BOTH,
            "DIRECT_POST publishes. MEDIA_UPLOAD sends the post to the creator's TikTok inbox, to be finished there: the \
             caption of a video and most settings are not taken along.",
        )
    }
}

fn title() -> Field {
    Field {
        kind: FieldKind::String,
        max_length: Some(sizes::MAX_TITLE),
        ..field(name::TITLE, IMAGE, "The headline of a photo post.")
    }
}

/// What viewers may do, forced off with the reason where the account forbids it.
fn audience(
    platform: &Platform,
    name: &'static str,
    description: &'static str,
    media: &'static [MediaType],
) -> Field {
    let mut field = switch(name, false, media, description);
    if settings::is_forbidden(platform, name) {
        field.description += " Always off: this account's TikTok settings forbid it.";
    }
    field
}

fn switch(
    name: &'static str,
    default: bool,
    media: &'static [MediaType],
    description: &'static str,
) -> Field {
    Field {
        kind: FieldKind::Boolean,
        default: json!(default),
        ..field(name, media, description)
    }
}

fn number(name: &'static str, media: &'static [MediaType], description: &'static str) -> Field {
    Field {
        kind: FieldKind::Integer,
        default: json!(0),
        minimum: Some(0),
        ..field(name, media, description)
    }
}

fn field(name: &'static str, media: &'static [MediaType], description: &'static str) -> Field {
    Field {
        name,
        kind: FieldKind::String,
        required: false,
        default: Value::Null,
        description: description.into(),
        applies_to: media,
        max_length: None,
        minimum: None,
        maximum: None,
    }
}

/// The user's choice for the account wins, as far as it is still possible and not forced off.
fn prefer_account_default(field: &mut Field, platform: &Platform) {
    let Some(chosen) = platform.settings.get(field.name) else {
        return;
    };
    let possible = match (&field.kind, chosen) {
        (FieldKind::Boolean, Value::Bool(_)) => !settings::is_forbidden(platform, field.name),
        (FieldKind::Integer, Value::Number(number)) => number.is_u64(),
        (FieldKind::String, Value::String(_)) => true,
        (FieldKind::Enum(options), Value::String(option)) => options.contains(option),
        _ => false,
    };
    if possible {
        field.default = chosen.clone();
    }
}

/// Every further limit, a sentence each. The numbers are those of [`sizes`].
fn rules(platform: &Platform) -> Vec<String> {
    let video = VideoLimits::of(platform, PostMode::Direct);
    let mut rules: Vec<String> = [
        "One video, or 1 to 35 photos; not both.",
        "Photos are JPEG or WebP, at most 20 MB each.",
        "Photos larger than 1080 pixels on the shorter side or 1920 on the longer side are scaled down.",
        &format!(
            "A video is MP4, MOV or WebM with H.264, H.265, VP8 or VP9, at most {} GB.",
            video.max_bytes / 1_000_000_000
        ),
        "A video is 360 to 4096 pixels wide and high, with 23 to 60 pictures a second.",
    ]
    .map(str::to_owned)
    .to_vec();
    if let Some(seconds) = video.least_secs {
        rules.push(format!("A video is at least {seconds} seconds long."));
    }
    if platform.can(Capability::DirectPost)
        && let Some(seconds) = video.longest_secs
    {
        rules.push(format!(
            "A video posted directly is at most {seconds} seconds long on this account."
        ));
    }
    if platform.can(Capability::InboxDraft) {
        rules.push(format!(
            "A video sent to the inbox is at most {} seconds long.",
            sizes::MAX_INBOX_SECS
        ));
    }
    if platform.can(Capability::Comments) {
        rules.push("Comments need a public post that allows comments.".to_owned());
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::tests::platform;

    fn names(schema: &PlatformSchema) -> Vec<&str> {
        schema.fields.iter().map(|field| field.name).collect()
    }

    fn find<'a>(schema: &'a PlatformSchema, name: &str) -> &'a Field {
        schema.fields.iter().find(|field| field.name == name).unwrap()
    }

    #[test]
    fn the_schema_is_the_table_of_the_contract() {
        let schema = of(&platform());
        assert_eq!(
            (schema.content_required, schema.content_max_length),
            (true, Some(2200))
        );
        assert_eq!(
            (
                schema.media.required,
                schema.media.min_items,
                schema.media.max_items
            ),
            (true, 1, 35)
        );
        assert_eq!(schema.media.allowed_types, [MediaType::Video, MediaType::Image]);
        assert!(!schema.media.supports_mixed_types && !schema.comments.supported);
        assert_eq!(
            names(&schema),
            [
                "privacy_level",
                "post_mode",
                "title",
                "allow_comment",
                "allow_duet",
                "allow_stitch",
                "auto_add_music",
                "photo_cover_index",
                "video_cover_timestamp_ms",
                "brand_content_toggle",
                "brand_organic_toggle",
                "is_aigc"
            ]
        );
        assert_eq!(find(&schema, "auto_add_music").default, json!(true));
        assert_eq!(find(&schema, "title").max_length, Some(90));
        assert_eq!(find(&schema, "allow_duet").applies_to, [MediaType::Video]);
        assert_eq!(find(&schema, "photo_cover_index").minimum, Some(0));
        assert!(schema.fields.iter().all(|field| !field.required));
    }

    #[test]
    fn privacy_options_are_the_accounts_own() {
        let schema = of(&platform());
        let privacy = find(&schema, "privacy_level");
        let options = ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"].map(str::to_owned);
        assert_eq!(privacy.kind, FieldKind::Enum(options.to_vec()));
        assert_eq!(privacy.default, json!("SELF_ONLY"));
    }

    #[test]
    fn the_accounts_own_defaults_show_unless_they_are_no_longer_possible() {
        let mut platform = platform();
        platform
            .settings
            .insert("privacy_level".to_owned(), json!("PUBLIC_TO_EVERYONE"));
        platform.settings.insert("is_aigc".to_owned(), json!(true));
        let schema = of(&platform);
        assert_eq!(
            find(&schema, "privacy_level").default,
            json!("PUBLIC_TO_EVERYONE")
        );
        assert_eq!(find(&schema, "is_aigc").default, json!(true));
        platform
            .settings
            .insert("privacy_level".to_owned(), json!("FOLLOWER_OF_CREATOR"));
        assert_eq!(find(&of(&platform), "privacy_level").default, json!("SELF_ONLY"));
    }

    #[test]
    fn what_the_account_forbids_is_off_and_says_why() {
        let mut platform = platform();
        platform.metadata.insert("duetDisabled".to_owned(), json!(true));
        platform.settings.insert("allow_duet".to_owned(), json!(true));
        let schema = of(&platform);
        let duet = find(&schema, "allow_duet");
        assert_eq!(duet.default, json!(false));
        assert!(duet.description.contains("forbid"), "{}", duet.description);
        assert!(!find(&schema, "allow_stitch").description.contains("forbid"));
    }

    #[test]
    fn the_modes_are_those_that_were_granted() {
        let mut platform = platform();
        platform.capabilities = vec![Capability::Video, Capability::Photos, Capability::InboxDraft];
        let schema = of(&platform);
        let mode = find(&schema, "post_mode");
        assert_eq!(mode.kind, FieldKind::Enum(vec!["MEDIA_UPLOAD".to_owned()]));
        assert_eq!(mode.default, json!("MEDIA_UPLOAD"));
    }

    #[test]
    fn a_business_account_has_comments_and_no_privacy_for_videos() {
        let mut platform = platform();
        assert_eq!(of(&platform).comments.max_length, None);
        platform.connection = Connection::Business;
        platform.capabilities.push(Capability::Comments);
        let schema = of(&platform);
        let comments = schema.comments;
        assert!(comments.supported && comments.delay_supported && !comments.media_supported);
        assert_eq!(comments.max_length, Some(150));
        let privacy = find(&schema, "privacy_level");
        assert_eq!(privacy.applies_to, [MediaType::Image]);
        assert!(
            privacy.description.contains("always public"),
            "{}",
            privacy.description
        );
        assert_eq!(find(&schema, "is_aigc").applies_to, [MediaType::Video]);
        let said = schema.media.rules.join(" ");
        assert!(
            said.contains("at most 1 GB")
                && said.contains("at least 3 seconds")
                && said.contains("Comments need"),
            "{said}"
        );
    }

    #[test]
    fn the_reference_has_the_settings_of_every_account_and_allows_others() {
        let (_, schema) = settings_schema();
        assert_eq!(schema["additionalProperties"], true);
        let described = schema["properties"].as_object().unwrap();
        for connection in [Connection::Creator, Connection::Business] {
            let platform = Platform {
                connection,
                ..platform()
            };
            for field in of(&platform).fields {
                let property = &described[field.name];
                let expected = match &field.kind {
                    FieldKind::Boolean => "boolean",
                    FieldKind::Integer => "integer",
                    FieldKind::String | FieldKind::Enum(_) => "string",
                };
                assert_eq!(property["type"], expected, "{}", field.name);
                if let FieldKind::Enum(options) = &field.kind {
                    let known = property["enum"].as_array().unwrap();
                    assert!(
                        options.iter().all(|option| known.contains(&json!(option))),
                        "{}",
                        field.name
                    );
                }
            }
        }
    }
}
