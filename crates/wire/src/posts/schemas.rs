//! The schemas of requests about posts.

use serde_json::{Value, json};

use super::requests::{MAX_COMMENTS, MAX_CONTENT, MAX_DELAY_MINUTES, MAX_RELEASE_ID, MAX_RELEASE_URL};
use crate::schema::{self, reference};

/// The schemas of the requests, by name.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("CreatePost", create_schema()),
        ("MarkPublished", mark_schema()),
        ("NewComment", comment_schema()),
        ("SchedulePost", schedule_schema()),
        ("UpdatePost", update_schema()),
    ]
}

fn create_schema() -> Value {
    let modes = ["draft", "now", "schedule"];
    let properties = json!({
        "platformIds": schema::ids("The accounts, from the platform list.", 1),
        "content": schema::text("The caption. Each platform has its own, shorter limit: `content.maxLength` of its schema.", (1, MAX_CONTENT)),
        "mode": schema::word("`draft` saves without publishing, `now` publishes at once, `schedule` at `scheduledFor`.", &modes),
        "scheduledFor": schema::nullable(schema::time("With an offset; from 5 minutes ago to 2 years ahead. Needed when `mode` is `schedule`; the planned date of a draft; ignored by `now`.")),
        "mediaIds": schema::nullable(schema::ids("READY media of the workspace, in order.", 0)),
        "settings": schema::nullable(schema::free("Provider-specific: `settings.fields` of the platform's schema. Absent settings have the account's defaults.")),
        "comments": schema::nullable(comments_schema()),
    });
    let mut create = schema::object(
        "A post on one or more platforms.",
        &["platformIds", "content", "mode"],
        properties,
    );
    create["if"] = json!({ "properties": { "mode": { "const": "schedule" } } });
    create["then"] =
        json!({ "required": ["scheduledFor"], "properties": { "scheduledFor": { "type": "string" } } });
    create
}

fn comment_schema() -> Value {
    let delay = schema::integer(
        "Its delay after the one before it, in minutes.",
        (0, MAX_DELAY_MINUTES),
    );
    let properties = json!({
        "content": schema::text("Its text.", (1, MAX_CONTENT)),
        "delayInMinutes": schema::nullable(delay),
        "settings": schema::nullable(schema::free("Provider-specific.")),
        "mediaIds": schema::nullable(schema::ids("READY media of the workspace.", 0)),
    });
    schema::object("A comment or thread item.", &["content"], properties)
}

fn schedule_schema() -> Value {
    let time = schema::time("With an offset; from 5 minutes ago to 2 years ahead.");
    schema::object("A new time.", &["scheduledFor"], json!({ "scheduledFor": time }))
}

fn mark_schema() -> Value {
    let properties = json!({
        "releaseId": schema::nullable(schema::text("The provider's ID of the post: the number at the end of its address.", (1, MAX_RELEASE_ID))),
        "releaseUrl": schema::nullable(schema::text("The address of its public page, as copied from a browser or the app.", (1, MAX_RELEASE_URL))),
    });
    schema::object(
        "Where the post is. Empty for a post without a public page.",
        &[],
        properties,
    )
}

fn update_schema() -> Value {
    let properties = json!({
        "content": schema::nullable(schema::text("The caption.", (1, MAX_CONTENT))),
        "mediaIds": schema::nullable(schema::ids("READY media of the workspace, in order; replaces the present ones.", 0)),
        "settings": schema::nullable(schema::free("Provider-specific; replaces the present ones.")),
        "comments": schema::nullable(comments_schema()),
    });
    schema::object("New contents of a post.", &[], properties)
}

fn comments_schema() -> Value {
    json!({
        "type": "array", "items": reference("NewComment"), "maxItems": MAX_COMMENTS,
        "description": "The comments that are posted after it is published, in order."
    })
}
