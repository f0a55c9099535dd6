//! `GET /bundle`: everything that a page shows, in one response.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::State;
use playout_domain::error::{IssueCode, Refusal, Violation};
use playout_domain::id::{MediaId, PlatformId, PostId};
use playout_wire::batches::BundleBody;
use playout_wire::read::parse_uuid;

use crate::api::auth::Caller;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::Query;
use crate::app::App;
use crate::app::bundle::{Bundle, Part};

/// The most IDs of one request.
const MOST_IDS: usize = 100;
/// The most accounts whose providers are called. The calls run in parallel, and the response waits for the slowest.
const MOST_ASKED: usize = 20;

/// Read several things at once
///
/// The lists that `include` names, and the posts, media and schemas with the given IDs, at most 100 in all. Each item that cannot
/// be read is in `failed`, with the error that reading it by itself returns. `ask` is for composing: it works as `GET
/// /platforms/{id}/health?refresh=true` followed by `GET /platforms/{id}/schema`, for at most 20 platforms.
#[utoipa::path(get, path = "/bundle", operation_id = "readBundle", tag = "Batches",
    params(
        ("include" = Option<Vec<String>>, Query, nullable = false, description = "Any of `platforms`, `waiting`, `usage` and `hasPosts`; repeatable."),
        ("post" = Option<Vec<Uuid>>, Query, nullable = false, description = "The ID of a post or of one of its comments; repeatable."),
        ("media" = Option<Vec<Uuid>>, Query, nullable = false, description = "The ID of a media object; repeatable."),
        ("ask" = Option<Vec<Uuid>>, Query, nullable = false, description = "The ID of a platform to refresh at its provider first; repeatable."),
        ("schema" = Option<Vec<Uuid>>, Query, nullable = false, description = "The ID of a platform whose schema to return; repeatable.")),
    responses((status = 200, description = "The requested items.", body = BundleBody)))]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    query: Query,
) -> Result<Json<BundleBody>, ApiError> {
    let wanted = read_query(query)?;
    Ok(Json(app.bundle(caller.workspace(), wanted).await?))
}

fn read_query(mut query: Query) -> Result<Bundle, Refusal> {
    let words = query.texts("include");
    let include: Vec<Part> = words.iter().filter_map(|word| Part::parse(word)).collect();
    if include.len() < words.len() {
        query.problem("include", Violation::one_of(&Part::ALL.map(Part::as_str)));
    }
    let bundle = Bundle {
        include,
        posts: read_ids::<PostId>(&mut query, "post"),
        media: read_ids::<MediaId>(&mut query, "media"),
        ask: read_ids::<PlatformId>(&mut query, "ask"),
        schemas: read_ids::<PlatformId>(&mut query, "schema"),
    };
    if bundle.ask.len() > MOST_ASKED {
        query.problem(
            "ask",
            IssueCode::TooLong.with(format!("must have at most {MOST_ASKED} items")),
        );
    }
    if bundle.posts.len() + bundle.media.len() + bundle.schemas.len() > MOST_IDS {
        query.problem(
            "post",
            IssueCode::TooLong.with(format!(
                "must have at most {MOST_IDS} items, together with media and schemas"
            )),
        );
    }
    query.done()?;
    Ok(bundle)
}

fn read_ids<T: FromStr + PartialEq>(query: &mut Query, name: &'static str) -> Vec<T> {
    let texts = query.texts(name);
    let read: Vec<T> = texts.iter().filter_map(|text| parse_uuid(text)).collect();
    if read.len() < texts.len() {
        query.problem(name, Violation::no_uuid());
    }
    // Drops repeated IDs.
    let mut ids = Vec::with_capacity(read.len().min(MOST_IDS));
    for id in read.into_iter().take(MOST_IDS + 1) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}
