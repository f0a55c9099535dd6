//! `/posts`: create, validate, list, read, change, reschedule, publish, delete; the attempts of each.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use playout_domain::access::Scope;
use playout_domain::error::{Issue, IssueCode, Refusal, Violation};
use playout_domain::id::PostId;
use playout_domain::post::{Group, ListedPost, PostState};
use playout_store::{Listed, Page, PostFilter, StoreError, Stored};
use playout_wire::attempts::{AttemptBody, AttemptList};
use playout_wire::canonical::Canonical;
use playout_wire::page::Cursor;
use playout_wire::posts::{
    ChangedBody, CreatePost, CreateResult, CreateResults, GroupBody, MarkPublished, Mode, Order, PostBody,
    PostList, SchedulePost, States, UpdatePost, ValidateResults, fields_of,
};
use serde_json::Value;

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::conditions::{Conditions, group_in, stored_with_tag, tagged_as};
use crate::api::error::ApiError;
use crate::api::fixed_fields::refuse_fixed;
use crate::api::idempotency::{IdempotencyKey, in_json};
use crate::api::json::{Json, LongJson};
use crate::api::params::{Id, Query, both, both_or_issues, no_uuid};
use crate::app::posts::{Asked, Changed, Changes, Creator};
use crate::app::{App, AppError};

/// Create a post
///
/// On one or more platforms, each independent of the others: a platform that rejects the post does not affect the others, and
/// `results` has an entry for each, in the order of `platformIds`. Drafts are lenient: they may still break a platform's rules.
/// Each root post that enters QUEUE counts against the plan's posts of the calendar month (UTC); if the whole request does not
/// fit, no post is created. With another `mode` than `draft` the scope `publish` is needed.
#[utoipa::path(post, path = "/posts", operation_id = "createPost", tag = "Posts",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false)),
    request_body(content = ref("#/components/schemas/CreatePost"), content_type = "application/json"),
    responses(
        (status = 201, description = "At least one platform accepted it.", body = CreateResults),
        (status = 200, description = "No platform accepted it; each entry has the reason.", body = CreateResults)),
    extensions(("x-error-codes" = json!(["post_limit_reached"]))))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |now| CreatePost::read(&body, now);
    let request = key.read(&app, &caller, now, read).await?;
    if !matches!(request.mode, Mode::Draft(_)) {
        caller.require(Scope::Publish)?;
    }
    let same = key.same(&caller, "POST /posts", now, || request.canonical());
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().clone());
    let (by, caller) = (caller.actor(), caller.clone());
    let work = move |kept| async move {
        let creator = Creator {
            by: &by,
            accounts: &caller.access().accounts,
        };
        worker.create_posts(&workspace, request, creator, &kept).await
    };
    same.once(&app, created, work).await
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

/// Validate a post
///
/// Returns for each platform what creating the post would return: `valid`, or `failed` with the reason. Creates nothing.
/// What is left of the plan's posts, and the scopes of the key, are not considered: `GET /usage` and `GET /key` have them.
#[utoipa::path(post, path = "/posts/validate", operation_id = "validatePost", tag = "Posts",
    request_body(content = ref("#/components/schemas/CreatePost"), content_type = "application/json"),
    responses((status = 200, description = "The result for each platform.", body = ValidateResults)))]
pub async fn validate(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Json<ValidateResults>, ApiError> {
    let request = CreatePost::read(&body, app.now()).map_err(Refusal::invalid)?;
    let results = app
        .validate_posts(caller.workspace(), &request, &caller.access().accounts)
        .await?;
    Ok(Json(ValidateResults { results }))
}

/// List posts
///
/// Root posts by effective date (`scheduledFor`, else `createdAt`), then ID. A page never repeats or skips a post because others
/// were added meanwhile. A cursor is valid for the `order` with which it was returned. A page of long posts may have fewer than
/// `limit` and a `nextCursor` all the same.
#[utoipa::path(get, path = "/posts", operation_id = "listPosts", tag = "Posts",
    params(
        ("startDate" = Option<String>, Query, format = DateTime, nullable = false, description = "The start of the range, inclusive, with an offset."),
        ("endDate" = Option<String>, Query, format = DateTime, nullable = false, description = "The end of the range, exclusive, with an offset."),
        ("state" = inline(Option<States>), Query, nullable = false, explode = true, description = "Only posts in one of these states. May be repeated."),
        ("platformId" = Option<Uuid>, Query, nullable = false, description = "Only posts to this platform."),
        ("q" = Option<String>, Query, nullable = false, pattern = "^[^\\x00]*$", max_length = 200, description = "Only posts whose content has this text, ignoring case and the normal form of Unicode."),
        ("order" = inline(Option<Order>), Query, nullable = false, description = "`asc`, earliest first (the default), or `desc`."),
        ("limit" = Option<u32>, Query, nullable = false, minimum = 1, maximum = 1000, description = "The most items; default 1000."),
        ("cursor" = Option<String>, Query, nullable = false, pattern = "^[A-Za-z0-9_-]{32}$", description = "`nextCursor` of the previous page.")),
    responses((status = 200, description = "The posts.", body = PostList)),
    extensions(("x-error-codes" = json!(["invalid_request"]))))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    query: Query,
) -> Result<LongJson<PostList>, ApiError> {
    let (mut filter, page) = read_list(query)?;
    if let Some(seen) = caller.access().accounts.only() {
        let asked = filter.platform_ids.take().unwrap_or_else(|| seen.to_vec());
        filter.platform_ids = Some(asked.into_iter().filter(|id| seen.contains(id)).collect());
    }
    let limit = page.limit - 1;
    let listed = app.list_posts(caller.workspace().id, filter, page).await;
    let Listed {
        posts: mut rows,
        is_cut,
    } = match listed {
        Err(AppError::Store(StoreError::TooSlow)) => return Err(too_slow().into()),
        listed => listed?,
    };
    let more = is_cut || rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().filter(|_| more);
    let next_cursor = last.map(|post| {
        Cursor {
            at: post.effective_at(),
            id: post.id.0,
        }
        .encode()
    });
    let bytes = LIST_BYTES + rows.iter().map(bytes_of).sum::<usize>();
    let body = PostList {
        posts: rows.into_iter().map(PostBody::from).collect(),
        next_cursor,
    };
    Ok(LongJson { body, bytes })
}

/// What a list takes beside its posts.
const LIST_BYTES: usize = 128;
/// What a post takes in JSON with its names, identifiers and times, beside its texts.
const POST_BYTES: usize = 600;
/// An identifier in quotation marks, and a comma.
const ID_BYTES: usize = 39;

/// About how many bytes a post is in JSON.
fn bytes_of(post: &ListedPost) -> usize {
    let texts = [&post.error_text, &post.release_id, &post.release_url];
    let texts = texts.into_iter().flatten().map(String::len).sum::<usize>();
    let fixed = POST_BYTES + ID_BYTES * post.media_ids.len();
    fixed + post.content.len() + texts + post.settings.as_str().len()
}

fn too_slow() -> Refusal {
    let message = "is not found in the time that a search may take; narrow it by dates, states or platform";
    Refusal::invalid(vec![Issue::field("q", IssueCode::Range.with(message))])
}

fn read_list(mut query: Query) -> Result<(PostFilter, Page), Refusal> {
    let (start, end) = (query.time("startDate"), query.time("endDate"));
    if let (Some(start), Some(end)) = (start, end)
        && start >= end
    {
        query.problem("startDate", IssueCode::Conflict.with("must be before endDate"));
    }
    let (limit, cursor) = query.page();
    let filter = PostFilter {
        start,
        end,
        states: read_states(&mut query),
        platform_ids: query.id("platformId").map(|id| vec![id]),
        q: query.search("q"),
        latest_first: query.word("order", &[("asc", false), ("desc", true)]),
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
    let states: Option<Vec<PostState>> = words.iter().map(|word| PostState::parse(word)).collect();
    match states {
        Some(states) => PostState::ALL
            .into_iter()
            .filter(|state| states.contains(state))
            .collect(),
        None => {
            query.problem("state", Violation::one_of(&PostState::ALL.map(PostState::as_str)));
            Vec::new()
        }
    }
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
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let group = app.get_group(caller.workspace().id, id).await?;
    Ok(conditions.respond(&GroupBody::from(group)))
}

/// Schedule a post
///
/// Sets a new time, and moves a draft, a failed post or one in ACTION_REQUIRED to QUEUE, after full validation. A post of which a try may
/// be out is sent again as with `publishPost`.
#[utoipa::path(patch, path = "/posts/{id}/schedule", operation_id = "schedulePost", tag = "Posts",
    params(("id" = Uuid, Path, description = "The ID of a post or of one of its comments.")),
    request_body(content = ref("#/components/schemas/SchedulePost"), content_type = "application/json"),
    responses((status = 200, description = "The post and its comments.", body = ChangedBody)),
    extensions(("x-error-codes" = json!(["post_not_found", "post_not_reschedulable", "post_undecided", "post_limit_reached"]))))]
pub async fn schedule(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<PostId>, ApiError>,
    conditions: Conditions,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let (id, request) = both(id, SchedulePost::read(&body, app.now()))?;
    let (by, expected) = (caller.actor(), conditions.expected());
    let queued = app
        .schedule_group(caller.workspace(), id, request.scheduled_for, &by, &expected)
        .await?;
    Ok(respond_changed(queued))
}

/// The response about a group that was changed, with the tag of the group.
fn respond_changed(changed: Changed) -> Response {
    let body = ChangedBody::new(changed.group, changed.warnings);
    tagged_as(&body, &group_in(&body))
}

/// Edit a post
///
/// Changes a draft or a queued post; absent fields stay unchanged, and so do those that are `null`, but for `scheduledFor`. A queued
/// post is validated in full, a draft leniently. `comments` replaces the whole list. A field of a post that this operation does not
/// change, with another value than the post has, is rejected with the operation that changes it. For a post that is no draft the scope
/// `publish` is needed.
#[utoipa::path(patch, path = "/posts/{id}", operation_id = "updatePost", tag = "Posts",
    params(("id" = Uuid, Path, description = "The ID of a post or of one of its comments.")),
    request_body(content = ref("#/components/schemas/UpdatePost"), content_type = "application/json"),
    responses((status = 200, description = "The post and its comments.", body = ChangedBody)),
    extensions(("x-error-codes" = json!(["post_not_found", "post_not_editable"]))))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<PostId>, ApiError>,
    conditions: Conditions,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let (id, request) = both(id, UpdatePost::read(&body))?;
    let shown = async || app.get_group(caller.workspace().id, id).await.map(fields_of);
    refuse_fixed::<UpdatePost, _, _>(&body, shown).await?;
    let (by, expected) = (&caller.actor(), &conditions.expected());
    let asked = Asked {
        by,
        expected,
        changes: caller.changes(),
    };
    let changed = app.update_group(caller.workspace(), id, &request, asked).await?;
    Ok(respond_changed(changed))
}

/// Publish a post now
///
/// Moves a draft, a failed post or one in ACTION_REQUIRED to QUEUE, to be published at once, after full validation; a queued post no
/// longer waits for its time. For a post in ACTION_REQUIRED of which a try may be out, this is the decision to submit it again: look at the
/// account first, and name the version that you read with `If-Match`. Without it, such a request is rejected for a minute
/// (`post_undecided`): it may be the repetition of one whose response was lost.
#[utoipa::path(post, path = "/posts/{id}/publish", operation_id = "publishPost", tag = "Posts",
    params(
        ("id" = Uuid, Path, description = "The ID of a post or of one of its comments."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false)),
    responses((status = 200, description = "The post and its comments.", body = ChangedBody)),
    extensions(("x-error-codes" = json!(["post_not_found", "post_not_publishable", "post_undecided", "post_limit_reached"]))))]
pub async fn publish(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    id: Result<Id<PostId>, ApiError>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |_| id.as_ref().map(|Id(id)| *id).map_err(|_| vec![no_uuid()]);
    let id = key.read(&app, &caller, now, read).await?;
    let same = key.same(&caller, &format!("POST /posts/{id}/publish"), now, || Value::Null);
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().clone());
    let (by, expected) = (caller.actor(), conditions.expected());
    let work = move |kept| async move {
        let (by, expected) = (&by, &expected);
        worker
            .publish_group(
                &workspace,
                id,
                Asked {
                    by,
                    expected,
                    changes: Changes::All,
                },
                &kept,
            )
            .await
    };
    same.once(&app, changed, work).await
}

fn changed(_: &App, changed: &Changed) -> Stored {
    let body = ChangedBody::new(changed.group.clone(), changed.warnings.clone());
    stored_with_tag(in_json(StatusCode::OK, &body), &group_in(&body))
}

/// Unschedule a post
///
/// Makes a queued post a draft again, with its time as the planned one. If it counted against the plan this month, it no longer does.
#[utoipa::path(post, path = "/posts/{id}/unschedule", operation_id = "unschedulePost", tag = "Posts",
    params(
        ("id" = Uuid, Path, description = "The ID of a post or of one of its comments."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false)),
    responses((status = 200, description = "The post and its comments.", body = GroupBody)),
    extensions(("x-error-codes" = json!(["post_not_found", "post_not_unschedulable", "post_publishing"]))))]
pub async fn unschedule(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    id: Result<Id<PostId>, ApiError>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |_| id.as_ref().map(|Id(id)| *id).map_err(|_| vec![no_uuid()]);
    let id = key.read(&app, &caller, now, read).await?;
    let same = key.same(&caller, &format!("POST /posts/{id}/unschedule"), now, || {
        Value::Null
    });
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().id);
    let (by, expected) = (caller.actor(), conditions.expected());
    let work = move |kept| async move {
        let (by, expected) = (&by, &expected);
        worker
            .unschedule_group(
                workspace,
                id,
                Asked {
                    by,
                    expected,
                    changes: Changes::All,
                },
                &kept,
            )
            .await
    };
    same.once(&app, group, work).await
}

/// Mark a post as published
///
/// For a post in ACTION_REQUIRED that is published: a person sees it on the account although the provider never confirmed it, or
/// they finished it in the provider's app. `releaseId` or `releaseUrl` says where it is; if the provider lists the account's public
/// posts, it must be among them. Both may be left out, as for a private post, which has no page, and for a comment, which is marked by its own
/// ID. The post's comments and events follow as after any publication, and the audit trail records who marked it.
#[utoipa::path(post, path = "/posts/{id}/mark-published", operation_id = "markPostPublished", tag = "Posts",
    params(
        ("id" = Uuid, Path, description = "The ID of a post or of a comment."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false)),
    request_body(content = ref("#/components/schemas/MarkPublished"), content_type = "application/json"),
    responses((status = 200, description = "The post and its comments.", body = GroupBody)),
    extensions(("x-error-codes" = json!(["post_not_found", "post_not_markable"]))))]
pub async fn mark_published(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    id: Result<Id<PostId>, ApiError>,
    conditions: Conditions,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |_| both_or_issues(&id, MarkPublished::read(&body));
    let (id, request) = key.read(&app, &caller, now, read).await?;
    let same = key.same(&caller, &format!("POST /posts/{id}/mark-published"), now, || {
        request.canonical()
    });
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().id);
    let (by, expected) = (caller.actor(), conditions.expected());
    let work = move |kept| async move {
        let (by, expected) = (&by, &expected);
        worker
            .mark_published(
                workspace,
                id,
                &request,
                Asked {
                    by,
                    expected,
                    changes: Changes::All,
                },
                &kept,
            )
            .await
    };
    same.once(&app, group, work).await
}

fn group(_: &App, group: &Group) -> Stored {
    let body = GroupBody::from(group.clone());
    stored_with_tag(in_json(StatusCode::OK, &body), &body)
}

/// List a post's attempts
///
/// Every attempt at submitting the post, oldest first: its outcome, the provider's ID for it, and the time of the next attempt.
/// With a comment's ID, that comment's attempts.
#[utoipa::path(get, path = "/posts/{id}/attempts", operation_id = "listAttempts", tag = "Posts",
    params(("id" = Uuid, Path, description = "The ID of a post or of a comment.")),
    responses((status = 200, description = "The attempts.", body = AttemptList)),
    extensions(("x-error-codes" = json!(["post_not_found"]))))]
pub async fn attempts(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PostId>,
) -> Result<Json<AttemptList>, ApiError> {
    let attempts = app.list_attempts(caller.workspace().id, id).await?;
    Ok(Json(AttemptList {
        attempts: attempts
            .into_iter()
            .map(|(attempt, explanation)| AttemptBody::new(attempt, explanation))
            .collect(),
    }))
}

/// Delete a post
///
/// With the whole group it belongs to. The provider offers no deletion: what is published stays public there, and only the record
/// is deleted. A post deleted before it was published no longer counts against the plan, within the month. For a post that is no draft
/// the scope `publish` is needed.
#[utoipa::path(delete, path = "/posts/{id}", operation_id = "deletePost", tag = "Posts",
    params(("id" = Uuid, Path, description = "The ID of a post or of one of its comments.")),
    responses((status = 204, description = "It is deleted.")),
    extensions(("x-error-codes" = json!(["post_not_found", "post_publishing"]))))]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PostId>,
    conditions: Conditions,
) -> Result<StatusCode, ApiError> {
    let asked = Asked {
        by: &caller.actor(),
        expected: &conditions.expected(),
        changes: caller.changes(),
    };
    app.delete_group(caller.workspace().id, id, asked).await?;
    Ok(StatusCode::NO_CONTENT)
}
