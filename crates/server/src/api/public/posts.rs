//! `/posts`: create, list, read, reschedule, delete.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use playout_domain::error::Refusal;
use playout_domain::id::PostId;
use playout_domain::post::PostState;
use playout_store::{Page, PostFilter, Stored};
use playout_wire::page::Cursor;
use playout_wire::posts::{
    CreatePost, CreateResult, CreateResults, GroupBody, PostBody, PostList, SchedulePost,
};
use playout_wire::same::Says;

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::idempotency::{IdempotencyKey, Same, fingerprint, in_json};
use crate::api::params::{Id, Query, both};
use crate::app::App;

/// Creates a post on one or more platforms: 201 if at least one took it, else 200.
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |now| CreatePost::read(&body, now);
    let request = key.read((&app, &caller), now, read).await?;
    let fingerprint = fingerprint("POST /posts", request.says());
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().clone());
    let same = Same {
        workspace: workspace.id,
        fingerprint,
        now,
    };
    let work = move |kept| async move { worker.create_posts(&workspace, request, &kept).await };
    key.once(&app, same, created, work).await
}

fn created(_: &App, results: &CreateResults) -> Stored {
    let is_any_created = results.results.iter().any(CreateResult::is_created);
    let status = if is_any_created {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    in_json(status, results)
}

/// Lists root posts by effective date.
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

/// A root and its comments, by the ID of any of them.
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PostId>,
) -> Result<Json<GroupBody>, ApiError> {
    Ok(Json(app.get_group(caller.workspace().id, id).await?.into()))
}

/// Gives a post a new time.
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

/// Deletes a post and the whole group it belongs to.
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PostId>,
) -> Result<StatusCode, ApiError> {
    app.delete_group(caller.workspace().id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
