//! The caller of a request is a value: [`Caller`] and [`SignedIn`] are constructed only here.

mod still;

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, MatchedPath, RawPathParams, Request, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use playout_domain::access::{KeyAccess, Scope};
use playout_domain::audit::{Actor, ActorKind};
use playout_domain::error::{Code, Issue, IssueCode, Refusal, Violation};
use playout_domain::id::{KeyId, WorkspaceId};
use playout_domain::key::KeyRecord;
use playout_domain::workspace::{Role, User, Workspace};
use playout_store::{By, FoundKey, FoundSession};
use playout_wire::read::parse_uuid;

use super::access::{Needs, needs_of};
use super::address::Address;
use super::bearer::bearer;
use super::error::ApiError;
use super::rate_limit::counted;
use super::session::{Presented, presented, refuse_foreign_read, set_cookie};
use crate::app::connect::Connector;
use crate::app::posts::Changes;
use crate::app::refusals::{insufficient_scope, not_a_member, role_too_low};
use crate::app::sessions::{invalid_session, user_actor};
use crate::app::{App, AppError};

/// The header that names the workspace of a request with a session.
pub const X_ORGANIZATION_ID: &str = "x-organization-id";

/// Proof that a request may act on a workspace: with its API key, or as one of its members.
#[derive(Clone)]
pub struct Caller(Arc<Proof>);

enum Proof {
    Key(Arc<FoundKey>),
    Member(Membership),
}

struct Membership {
    workspace: Workspace,
    role: Role,
    actor: Actor,
}

impl Caller {
    /// The workspace that this request can see.
    pub fn workspace(&self) -> &Workspace {
        match self.0.as_ref() {
            Proof::Key(found) => &found.workspace,
            Proof::Member(member) => &member.workspace,
        }
    }

    /// The request's API key; `None` in a session.
    pub fn key(&self) -> Option<KeyId> {
        match self.0.as_ref() {
            Proof::Key(found) => Some(found.key.id),
            Proof::Member(_) => None,
        }
    }

    /// What is stored of the request's API key; `None` in a session.
    pub fn key_record(&self) -> Option<&KeyRecord> {
        match self.0.as_ref() {
            Proof::Key(found) => Some(&found.key),
            Proof::Member(_) => None,
        }
    }

    /// The caller, as the audit trail records it.
    pub fn actor(&self) -> Actor {
        match self.0.as_ref() {
            Proof::Key(found) => Actor {
                kind: ActorKind::Key,
                id: Some(found.key.id.0),
                name: Some(found.key.name.clone()),
                session: None,
                address: None,
            },
            Proof::Member(member) => member.actor.clone(),
        }
    }

    /// What the caller may do as far as keys are restricted; the role of a member is judged elsewhere.
    pub fn access(&self) -> &KeyAccess {
        static FULL: KeyAccess = KeyAccess::FULL;
        match self.0.as_ref() {
            Proof::Key(found) => &found.key.access,
            Proof::Member(_) => &FULL,
        }
    }

    /// Refuses a caller that may not do what needs this scope.
    ///
    /// # Errors
    /// `insufficient_scope`.
    pub fn require(&self, scope: Scope) -> Result<(), Refusal> {
        match self.access().scopes.allow(scope) {
            true => Ok(()),
            false => Err(insufficient_scope(scope)),
        }
    }

    /// Which posts the caller may change.
    pub fn changes(&self) -> Changes {
        match self.access().scopes.allow(Scope::Publish) {
            true => Changes::All,
            false => Changes::Drafts,
        }
    }

    /// The member; fails for a key, which proves no membership.
    pub fn member(&self) -> Result<By<'_>, Refusal> {
        match self.0.as_ref() {
            Proof::Member(member) => Ok(By {
                role: member.role,
                actor: &member.actor,
            }),
            Proof::Key(_) => Err(invalid_session()),
        }
    }
}

/// Proof that a request carried a valid session.
#[derive(Clone)]
pub struct SignedIn {
    /// The session.
    pub session: Arc<FoundSession>,
    /// Its token, with which it can be ended.
    pub presented: Arc<Presented>,
    /// The user, as the audit trail records them.
    pub actor: Actor,
}

impl SignedIn {
    /// The signed-in user.
    pub fn user(&self) -> &User {
        &self.session.user
    }

    /// The user, as the one who connects an account.
    pub fn connector(&self) -> Connector {
        Connector {
            user: self.user().id,
            token: self.presented.token.clone(),
            actor: self.actor.clone(),
        }
    }
}

/// The visitor of a page: signed in, or not.
#[derive(Clone, Default)]
pub struct Visitor(pub Option<SignedIn>);

/// Lets only requests with a valid key through, before any other check (`docs/contract.md#order-of-checks`).
pub async fn require_key(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let Some(key) = bearer(request.headers()) else {
        return ApiError::from(missing_key()).into_response();
    };
    match app.authenticate(&key).await {
        Ok(found) => {
            let caller = Caller(Arc::new(Proof::Key(found)));
            request.extensions_mut().insert(caller);
            let look = look_at_key(&app, key);
            still::answer(&app, request, look, |request| next.run(request)).await
        }
        Err(error) => ApiError::from(error).into_response(),
    }
}

/// Checks again whether a key is valid.
fn look_at_key(app: &Arc<App>, key: String) -> still::Look {
    let (app, key) = (Arc::clone(app), Arc::<str>::from(key));
    Box::new(move || {
        let (app, key) = (Arc::clone(&app), Arc::clone(&key));
        Box::pin(async move { app.authenticate(&key).await.map(drop) })
    })
}

/// Checks again whether a session is valid, and whether its user still has the role that let them through.
fn look_at_session(app: &Arc<App>, signed_in: &SignedIn, caller: Option<Caller>) -> still::Look {
    let (app, signed_in) = (Arc::clone(app), signed_in.clone());
    Box::new(move || {
        let (app, signed_in, caller) = (Arc::clone(&app), signed_in.clone(), caller.clone());
        Box::pin(async move {
            app.find_session(&signed_in.presented.token).await?;
            let Some(caller) = caller else { return Ok(()) };
            let role = caller.member()?.role;
            let now = enter_workspace(&app, &signed_in, caller.workspace().id, role).await?;
            match now.member()?.role == role {
                true => Ok(()),
                false => Err(role_too_low().into()),
            }
        })
    })
}

/// Lets only requests with a session through, within the rate limit of a user, and to each operation only the roles that the
/// table of `access.rs` lists. Only this function passes a handler its caller, so an operation that is missing from the table
/// is closed to everyone.
pub async fn require_session(
    State(app): State<Arc<App>>,
    Address(from): Address,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let signed_in = match identify(&app, from, &parts).await {
        Ok(signed_in) => signed_in,
        Err(error) => return ApiError::from(error).into_response(),
    };
    let call = app.take_call_in_session(signed_in.user().id).await;
    let answer = async {
        match admit(&app, &signed_in, parts).await {
            Ok(parts) => {
                let look = look_at_session(&app, &signed_in, parts.extensions.get::<Caller>().cloned());
                let request = Request::from_parts(parts, body);
                still::answer(&app, request, look, |request| next.run(request)).await
            }
            Err(error) => ApiError::from(error).into_response(),
        }
    };
    let response = counted("You", call, answer).await;
    with_cookie(&app, &signed_in, response)
}

async fn identify(app: &App, from: Option<IpAddr>, parts: &Parts) -> Result<SignedIn, AppError> {
    let presented = presented(app, &parts.method, &parts.headers)?;
    refuse_foreign_read(&presented, &parts.headers)?;
    signed_in(app, from, presented).await
}

/// Renews the cookie, which lasts as long as the session that was just used.
pub(super) fn with_cookie(app: &App, signed_in: &SignedIn, mut response: Response) -> Response {
    if signed_in.session.moved && signed_in.presented.by_cookie {
        let cookie = set_cookie(&app.config.base_url, &signed_in.presented.token);
        let headers = response.headers_mut();
        if !headers.contains_key(header::SET_COOKIE) {
            headers.insert(header::SET_COOKIE, cookie);
        }
    }
    response
}

pub(super) async fn signed_in(
    app: &App,
    from: Option<IpAddr>,
    presented: Presented,
) -> Result<SignedIn, AppError> {
    let session = app.find_session(&presented.token).await?;
    let user = &session.user;
    Ok(SignedIn {
        actor: user_actor(user.id, &user.email, session.id, from),
        session: Arc::new(session),
        presented: Arc::new(presented),
    })
}

async fn admit(app: &App, signed_in: &SignedIn, mut parts: Parts) -> Result<Parts, AppError> {
    let path = parts.extensions.get::<MatchedPath>().cloned();
    let needs = path
        .as_ref()
        .and_then(|path| needs_of(&parts.method, path.as_str()));
    match needs {
        Some(Needs::Role(least)) => {
            let caller = enter(app, signed_in, least, &mut parts).await?;
            parts.extensions.insert(caller);
            parts.extensions.insert(signed_in.clone());
        }
        Some(Needs::Session | Needs::Nothing) => {
            parts.extensions.insert(signed_in.clone());
        }
        None => {}
    }
    Ok(parts)
}

/// Lets a user act on the workspace that a request names, if their role there is sufficient.
async fn enter(app: &App, signed_in: &SignedIn, least: Role, parts: &mut Parts) -> Result<Caller, AppError> {
    let id = named_workspace(parts).await?;
    enter_workspace(app, signed_in, id, least).await
}

/// Lets a user act on a workspace, if their role there is sufficient.
pub async fn enter_workspace(
    app: &App,
    signed_in: &SignedIn,
    id: WorkspaceId,
    least: Role,
) -> Result<Caller, AppError> {
    let found = app.store.find_membership(id, signed_in.user().id).await?;
    let (workspace, role) = found.ok_or_else(not_a_member)?;
    if !role.covers(least) {
        return Err(role_too_low().into());
    }
    let actor = signed_in.actor.clone();
    Ok(Caller(Arc::new(Proof::Member(Membership {
        workspace,
        role,
        actor,
    }))))
}

/// The workspace in the path, else the one in the header.
async fn named_workspace(parts: &mut Parts) -> Result<WorkspaceId, Refusal> {
    let params = RawPathParams::from_request_parts(parts, &()).await.ok();
    let in_path = params
        .iter()
        .flatten()
        .find(|(name, _)| *name == "organizationId");
    if let Some((_, text)) = in_path {
        let problem = || Refusal::invalid(vec![Issue::field("organizationId", Violation::no_uuid())]);
        return parse_uuid(text).ok_or_else(problem);
    }
    let refuse = |violation| Refusal::invalid(vec![Issue::field(X_ORGANIZATION_ID, violation)]);
    let mut values = parts.headers.get_all(X_ORGANIZATION_ID).iter();
    let Some(value) = values.next() else {
        return Err(refuse(
            IssueCode::Required.with("is required: the workspace to act on"),
        ));
    };
    if values.next().is_some() {
        return Err(refuse(IssueCode::Duplicate.with("must be sent once")));
    }
    let id = value.to_str().ok().and_then(parse_uuid);
    id.ok_or_else(|| refuse(Violation::no_uuid()))
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(parts
            .extensions
            .get::<Caller>()
            .cloned()
            .ok_or_else(missing_key)?)
    }
}

impl<S: Sync> FromRequestParts<S> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let signed_in = parts.extensions.get::<SignedIn>().cloned();
        Ok(signed_in.ok_or_else(invalid_session)?)
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}

pub(super) fn missing_key() -> Refusal {
    Refusal::new(
        Code::MissingApiKey,
        "A Bearer API key is required: Authorization: Bearer svc_sk_…",
    )
}
