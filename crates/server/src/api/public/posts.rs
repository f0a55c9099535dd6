//! `/posts`: create, validate, list, read, change, reschedule, publish, delete; the tries of each.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use playout_domain::error::Refusal;
use playout_domain::id::PostId;
use playout_domain::post::PostState;
use playout_store::{Page, PostFilter};
use playout_wire::attempts::{AttemptBody, AttemptList};
use playout_wire::page::Cursor;
use playout_wire::posts::{
    CreatePost, CreateResult, CreateResults, GroupBody, PostBody, PostList, SchedulePost, UpdatePost,
    ValidateResults,
};

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::params::{Id, Query, both};
use crate::app::App;

/// Creates a post on one or more platforms: 201 if at least one took it, else 200.
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

/// Says what creating would answer, and creates nothing.
pub async fn validate(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Json<ValidateResults>, ApiError> {
    let request = CreatePost::read(&body, app.now()).map_err(Refusal::invalid)?;
    let results = app.validate_posts(caller.workspace(), &request).await?;
    Ok(Json(ValidateResults { results }))
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
        .schedule_group(caller.workspace(), id, request.scheduled_for)
        .await?;
    Ok(Json(group.into()))
}

/// Gives a post in DRAFT or QUEUE new contents.
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<PostId>, ApiError>,
    JsonBody(body): JsonBody,
) -> Result<Json<GroupBody>, ApiError> {
    let (id, request) = both(id, UpdatePost::read(&body))?;
    let group = app.update_group(caller.workspace(), id, &request).await?;
    Ok(Json(group.into()))
}

/// Lets a post go out now.
pub async fn publish(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PostId>,
) -> Result<Json<GroupBody>, ApiError> {
    Ok(Json(app.publish_group(caller.workspace(), id).await?.into()))
}

/// Lists every try at handing a post over.
pub async fn attempts(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PostId>,
) -> Result<Json<AttemptList>, ApiError> {
    let attempts = app.list_attempts(caller.workspace().id, id).await?;
    Ok(Json(AttemptList {
        attempts: attempts.into_iter().map(AttemptBody::from).collect(),
    }))
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
