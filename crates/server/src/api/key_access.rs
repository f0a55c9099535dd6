//! The access table of requests with a key: the scope that each operation of `/public/v1` needs, and what its path names, of which a
//! key with a list of accounts sees a part. [`admit`] enforces it; a test checks each entry for every scope.

use axum::extract::{FromRequestParts, MatchedPath, RawPathParams, Request};
use axum::http::Method;
use playout_domain::access::Scope;
use playout_domain::error::Refusal;
use playout_wire::read::parse_uuid;

use super::auth::Caller;
use crate::app::platforms::platform_not_found;
use crate::app::posts::post_not_found;
use crate::app::{App, AppError};

/// The prefix of the public operations.
pub const PREFIX: &str = "/public/v1";

/// What the `id` in a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// Nothing that belongs to an account.
    Nothing,
    /// An account.
    Account,
    /// A post.
    Post,
}

/// An operation, the scope that it needs at least, and what its path names.
pub type Operation = (&'static str, &'static str, Scope, Names);

/// Every operation. One that is missing here is closed to restricted keys. Creating posts needs `publish` where they are not drafts, and a
/// batch `drafts` or `publish` where it is no dry run; editing and deleting posts that are no drafts need `publish` (`app/posts.rs`).
pub const OPERATIONS: &[Operation] = &[
    ("GET", "/platforms", Scope::Read, Names::Nothing),
    ("GET", "/platforms/{id}/schema", Scope::Read, Names::Account),
    ("GET", "/platforms/{id}/health", Scope::Read, Names::Account),
    ("GET", "/media", Scope::Read, Names::Nothing),
    ("POST", "/media", Scope::Media, Names::Nothing),
    ("POST", "/media/import", Scope::Media, Names::Nothing),
    ("GET", "/media/{id}", Scope::Read, Names::Nothing),
    ("PATCH", "/media/{id}", Scope::Media, Names::Nothing),
    ("DELETE", "/media/{id}", Scope::Media, Names::Nothing),
    ("GET", "/media/folders", Scope::Read, Names::Nothing),
    ("POST", "/media/folders", Scope::Media, Names::Nothing),
    ("PATCH", "/media/folders/{id}", Scope::Media, Names::Nothing),
    ("DELETE", "/media/folders/{id}", Scope::Media, Names::Nothing),
    ("POST", "/media/uploads", Scope::Media, Names::Nothing),
    ("HEAD", "/media/uploads/{id}", Scope::Media, Names::Nothing),
    ("PATCH", "/media/uploads/{id}", Scope::Media, Names::Nothing),
    ("DELETE", "/media/uploads/{id}", Scope::Media, Names::Nothing),
    ("GET", "/posts", Scope::Read, Names::Nothing),
    ("POST", "/posts", Scope::Drafts, Names::Nothing),
    ("POST", "/posts/validate", Scope::Read, Names::Nothing),
    ("POST", "/posts/batch", Scope::Read, Names::Nothing),
    ("GET", "/posts/{id}", Scope::Read, Names::Post),
    ("PATCH", "/posts/{id}", Scope::Drafts, Names::Post),
    ("DELETE", "/posts/{id}", Scope::Drafts, Names::Post),
    ("GET", "/posts/{id}/attempts", Scope::Read, Names::Post),
    ("POST", "/posts/{id}/mark-published", Scope::Publish, Names::Post),
    ("POST", "/posts/{id}/publish", Scope::Publish, Names::Post),
    ("POST", "/posts/{id}/unschedule", Scope::Publish, Names::Post),
    ("PATCH", "/posts/{id}/schedule", Scope::Publish, Names::Post),
    ("POST", "/slides/composite", Scope::Media, Names::Nothing),
    ("POST", "/slides/preview", Scope::Read, Names::Nothing),
    ("POST", "/slides/captions", Scope::Media, Names::Nothing),
    ("GET", "/webhooks", Scope::Webhooks, Names::Nothing),
    ("POST", "/webhooks", Scope::Webhooks, Names::Nothing),
    ("GET", "/webhooks/{id}", Scope::Webhooks, Names::Nothing),
    ("PATCH", "/webhooks/{id}", Scope::Webhooks, Names::Nothing),
    ("DELETE", "/webhooks/{id}", Scope::Webhooks, Names::Nothing),
    (
        "POST",
        "/webhooks/{id}/rotate-secret",
        Scope::Webhooks,
        Names::Nothing,
    ),
    ("POST", "/webhooks/{id}/test", Scope::Webhooks, Names::Nothing),
    (
        "GET",
        "/webhooks/{id}/deliveries",
        Scope::Webhooks,
        Names::Nothing,
    ),
    (
        "POST",
        "/webhooks/deliveries/{id}/redeliver",
        Scope::Webhooks,
        Names::Nothing,
    ),
    ("GET", "/events", Scope::Read, Names::Nothing),
    ("GET", "/usage", Scope::Read, Names::Nothing),
];

/// Operations of every key, whatever its scopes.
pub const OF_EVERY_KEY: &[(&str, &str)] = &[("GET", "/key")];

/// Paths that are no operations of their own: a POST in place of another method of an upload (`X-HTTP-Method-Override`), and another
/// name of the captions.
const STAND_INS: &[Operation] = &[
    ("POST", "/media/uploads/{id}", Scope::Media, Names::Nothing),
    ("POST", "/slides/caption", Scope::Media, Names::Nothing),
];

/// The operation with this method and path template (prefix included). HEAD counts as GET.
fn operation(method: &Method, template: &str) -> Option<&'static Operation> {
    let path = template.strip_prefix(PREFIX)?;
    let find = |method: &str| {
        let mut all = OPERATIONS.iter().chain(STAND_INS);
        all.find(|(known, at, ..)| *known == method && *at == path)
    };
    match *method {
        Method::HEAD => find("HEAD").or_else(|| find("GET")),
        _ => find(method.as_str()),
    }
}

/// Lets a request through that the scopes and the accounts of its key allow. What is missing from the table gets no [`Caller`], without
/// which no handler of an operation runs.
///
/// # Errors
/// `insufficient_scope`; `platform_not_found` and `post_not_found` for what the key does not see.
pub(super) async fn admit(app: &App, request: Request) -> Result<Request, AppError> {
    let caller = request.extensions().get::<Caller>().cloned();
    let Some(caller) = caller.filter(|caller| caller.access().is_restricted()) else {
        return Ok(request);
    };
    let (mut parts, body) = request.into_parts();
    let template = parts.extensions.get::<MatchedPath>().cloned();
    let known = template
        .as_ref()
        .and_then(|template| operation(&parts.method, template.as_str()));
    let path = template
        .as_ref()
        .and_then(|template| template.as_str().strip_prefix(PREFIX));
    let is_of_every_key = OF_EVERY_KEY.iter().any(|(_, at)| Some(*at) == path) && parts.method.is_safe();
    match known {
        Some((_, _, scope, names)) => {
            caller.require(*scope)?;
            if *names != Names::Nothing && caller.access().accounts.only().is_some() {
                let params = RawPathParams::from_request_parts(&mut parts, &()).await;
                let id = params.iter().flatten().find(|(name, _)| *name == "id");
                if let Some((_, id)) = id {
                    check_account(app, &caller, *names, id).await?;
                }
            }
        }
        None if is_of_every_key => {}
        None => drop(parts.extensions.remove::<Caller>()),
    }
    Ok(Request::from_parts(parts, body))
}

/// Refuses an account that the key does not see, and a post of one. What is no identifier, or names nothing, is the handler's.
async fn check_account(app: &App, caller: &Caller, names: Names, id: &str) -> Result<(), AppError> {
    let accounts = &caller.access().accounts;
    let refused: Option<Refusal> = match names {
        Names::Nothing => None,
        Names::Account => {
            let account = parse_uuid(id).filter(|account| !accounts.allow(*account));
            account.map(|_| platform_not_found())
        }
        Names::Post => match parse_uuid(id) {
            None => None,
            Some(post) => {
                let account = app.store.platform_of_post(caller.workspace().id, post).await?;
                let account = account.filter(|account| !accounts.allow(*account));
                account.map(|_| post_not_found())
            }
        },
    };
    refused.map_or(Ok(()), |refusal| Err(refusal.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_in_the_table_is_no_operation() {
        let scope = |method, path: &str| operation(&method, path).map(|operation| operation.2);
        assert_eq!(scope(Method::GET, "/public/v1/posts"), Some(Scope::Read));
        assert_eq!(scope(Method::HEAD, "/public/v1/posts"), Some(Scope::Read));
        assert_eq!(
            scope(Method::HEAD, "/public/v1/media/uploads/{id}"),
            Some(Scope::Media)
        );
        assert_eq!(scope(Method::PUT, "/public/v1/posts"), None);
        assert_eq!(scope(Method::GET, "/app/v1/posts"), None);
        assert_eq!(scope(Method::GET, "/public/v1/keys"), None);
    }
}
