//! `/posts`: create, list, read, reschedule, delete.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use playout_domain::error::Refusal;
use playout_domain::id::PostId;
use playout_domain::post::PostState;
use playout_store::{Page, PostFilter};
use playout_wire::page::Cursor;
use playout_wire::posts::{
    CreatePost, CreateResult, CreateResults, GroupBody, PostBody, PostList, SchedulePost,
};

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::params::{Id, Query, both};
use crate::app::App;

/// Create a post
///
/// On one or more platforms, each by itself: one that refuses the post does not keep it from the others, and `results`
/// has an entry for each, in the order of `platformIds`. Drafts are lenient: they may still break a platform's rules.
/// Each root post that enters QUEUE counts against the plan's posts of the calendar month (UTC); if the whole request
/// does not fit, nothing is created.
#[utoipa::path(post, path = "/posts", operation_id = "createPost", tag = "Posts",
    request_body(content = ref("#/components/schemas/CreatePost"), content_type = "application/json"),
    responses(
        (status = 201, description = "At least one platform took it.", body = CreateResults),
        (status = 200, description = "No platform took it; each entry says why.", body = CreateResults)),
    extensions(("x-error-codes" = json!(["post_limit_reached"]))))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<CreateResults>), ApiError> {
    let request = CreatePost::read(&body, app.now()).map_err(Refusal::invalid)?;
    let results = app.create_posts(caller.workspace(), request).await?;
    let status = if results.iter().any(CreateResult::is_created) {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    Ok((status, Json(CreateResults { results })))
}

/// List posts
///
/// Root posts by effective date (`scheduledFor`, else `createdAt`), then ID. A page never repeats or skips a post
/// because others were added meanwhile.
#[utoipa::path(get, path = "/posts", operation_id = "listPosts", tag = "Posts",
    params(
        ("startDate" = Option<String>, Query, format = DateTime, nullable = false, description = "The first moment of the range, with an offset."),
        ("endDate" = Option<String>, Query, format = DateTime, nullable = false, description = "The first moment after the range, with an offset."),
        ("state" = Option<Vec<String>>, Query, nullable = false, explode = true, description = "Only posts in these states: DRAFT, QUEUE, PUBLISHED, ACTION_REQUIRED, ERROR. May be repeated."),
        ("platformId" = Option<Uuid>, Query, nullable = false, description = "Only posts to this platform."),
        ("q" = Option<String>, Query, nullable = false, description = "Only posts whose content has this text, ignoring case."),
        ("limit" = Option<u32>, Query, nullable = false, minimum = 1, maximum = 1000, description = "How many at most; 1000 unless given."),
        ("cursor" = Option<String>, Query, nullable = false, description = "`nextCursor` of the page before.")),
    responses((status = 200, description = "The posts.", body = PostList)),
    extensions(("x-error-codes" = json!(["invalid_request"]))))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    query: Query,
) -> Result<Json<PostList>, ApiError> {
    let (filter, page) = read_list(query)?;
    let limit = page.limit - 1;
    let mut rows = app
        .store
        .list_root_posts(caller.workspace().id, &filter, page)
        .await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().filter(|_| more);
    let next_cursor = last.map(|post| {
        Cursor {
            at: post.effective_at(),
            id: post.id.0,
        }
        .encode()
    });
    Ok(Json(PostList {
        posts: rows.into_iter().map(PostBody::from).collect(),
        next_cursor,
    }))
}

fn read_list(mut query: Query) -> Result<(PostFilter, Page), Refusal> {
    let (start, end) = (query.time("startDate"), query.time("endDate"));
    if let (Some(start), Some(end)) = (start, end)
        && start >= end
    {
        query.problem("startDate", "must be before endDate");
    }
    let (limit, cursor) = query.page();
    let filter = PostFilter {
        start,
        end,
        states: read_states(&mut query),
        platform_id: query.id("platformId"),
        q: query.search("q"),
    };
    query.done()?;
    Ok((
        filter,
        Page {
            limit: limit + 1,
            after: cursor.map(|cursor| (cursor.at, cursor.id)),
        },
    ))
}

fn read_states(query: &mut Query) -> Vec<PostState> {
    let words = query.texts("state");
    let states: Vec<PostState> = words.iter().filter_map(|word| PostState::parse(word)).collect();
    if states.len() < words.len() {
        let known = PostState::ALL.map(PostState::as_str).join(", ");
        query.problem("state", format!("must be one of {known}"));
    }
    states
}

/// Get a post
///
/// A root post and its comments, by the ID of any of them.
#[utoipa::path(get, path = "/posts/{id}", operation_id = "getPost", tag = "Posts",
    params(("id" = Uuid, Path, description = "The ID of a post or of one of its comments.")),
    responses((status = 200, description = "The post and its comments.", body = GroupBody)),
    extensions(("x-error-codes" = json!(["post_not_found"]))))]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PostId>,
) -> Result<Json<GroupBody>, ApiError> {
    Ok(Json(app.get_group(caller.workspace().id, id).await?.into()))
}

/// Schedule a post
///
/// Gives a post a new time, and puts a draft, a failed post or one that waits for a person into the queue, after full
/// validation.
#[utoipa::path(patch, path = "/posts/{id}/schedule", operation_id = "schedulePost", tag = "Posts",
    params(("id" = Uuid, Path, description = "The ID of a post or of one of its comments.")),
    request_body(content = ref("#/components/schemas/SchedulePost"), content_type = "application/json"),
    responses((status = 200, description = "The post and its comments.", body = GroupBody)),
    extensions(("x-error-codes" = json!(["post_not_found", "post_not_reschedulable", "post_limit_reached"]))))]
pub async fn schedule(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<PostId>, ApiError>,
    JsonBody(body): JsonBody,
) -> Result<Json<GroupBody>, ApiError> {
    let (id, request) = both(id, SchedulePost::read(&body, app.now()))?;
    let group = app
        .schedule_group(caller.workspace(), id, Some(request.scheduled_for))
        .await?;
    Ok(Json(group.into()))
}

/// Delete a post
///
/// And the whole group it belongs to. The provider offers no deletion: what is published stays public there, and only
/// the record goes. A post deleted before it was published gives its count back to the plan within the month.
#[utoipa::path(delete, path = "/posts/{id}", operation_id = "deletePost", tag = "Posts",
    params(("id" = Uuid, Path, description = "The ID of a post or of one of its comments.")),
    responses((status = 204, description = "It is gone.")),
    extensions(("x-error-codes" = json!(["post_not_found", "post_publishing"]))))]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PostId>,
) -> Result<StatusCode, ApiError> {
    app.delete_group(caller.workspace().id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
