//! The demo's user, workspace, members and keys.

use std::time::Duration;

use playout_domain::access::KeyAccess;
use playout_domain::audit::Actor;
use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::key::{KeyRecord, make_key};
use playout_domain::lateness::LatenessPolicy;
use playout_domain::secret::Secret;
use playout_domain::workspace::{Role, Workspace};
use playout_store::{By, CreateUser, NewUser, NewWorkspace, WorkspaceChanges};
use uuid::Uuid;

use crate::app::App;
use crate::app::keys::hashes_of;
use crate::chance;
use crate::cli::admin;
use crate::open_error::OpenError;

/// The address of the demo's user.
pub(super) const USER: &str = "demo@example.org";
/// Fixed, so that a later start finds it, even if it was renamed.
const WORKSPACE: WorkspaceId = WorkspaceId(Uuid::from_u128(0x0190_2b54_6c00_7000_8000_0000_0000_de40));
/// The other members. Their passwords are random and not stored.
const MEMBERS: [(&str, &str, Role); 2] = [
    ("desk@example.org", "Social desk", Role::Admin),
    ("workshop@example.org", "Workshop", Role::Member),
];
/// The key of the demo's own client.
const KEY: &str = "Demo";
/// Older keys: one that a program uses, and one that was valid for a week.
const KEYS: [PastKey; 2] = [
    PastKey {
        name: "CI",
        made: 16 * 24,
        used: 2,
        expired: None,
    },
    PastKey {
        name: "Kite festival stand",
        made: 13 * 24,
        used: 7 * 24,
        expired: Some(6 * 24),
    },
];
const DAY: Duration = Duration::from_secs(86_400);
/// How long yesterday's post waits for its account: it is published if the account is connected again in that time.
const PATIENCE: Duration = Duration::from_secs(3 * 86_400);

/// The demo's user and their password.
pub(super) struct Owner {
    pub(super) id: UserId,
    pub(super) password: Secret,
}

/// An old key, with the hours since each of its times.
struct PastKey {
    name: &'static str,
    made: u64,
    used: u64,
    expired: Option<u64>,
}

/// The demo's user. An existing one keeps the password that an earlier start has printed, if it is still right, and gets a new one otherwise.
pub(super) async fn provide_user(app: &App, kept: Option<Secret>) -> Result<Owner, OpenError> {
    let known = app.store.find_user_by_email(USER).await?;
    if let (Some(known), Some(password)) = (&known, kept) {
        let hash = known.password_hash.clone();
        if app.is_password_of_operator(password.clone(), hash).await? {
            let id = known.user.id;
            return Ok(Owner { id, password });
        }
    }
    let password = Secret::new(chance::token());
    let id = match known {
        Some(known) => {
            let (reset, now) = (chance::bytes(), app.now());
            let hash = app.hash_password(password.clone()).await?;
            let (user, end) = (known.user.id, now.plus(Duration::from_secs(60)));
            app.store.create_password_reset(user, reset, end, now).await?;
            app.store.reset_password(reset, &hash, None, now).await?;
            user
        }
        None => {
            let mut made = admin::create_user(app, USER, password.expose(), Some("Demo".to_owned())).await?;
            serde_json::from_value(made["id"].take())?
        }
    };
    Ok(Owner { id, password })
}

/// The demo's workspace, created at the first start.
pub(super) async fn provide_workspace(app: &App, owner: UserId) -> Result<Workspace, OpenError> {
    if let Some(known) = app.store.find_workspace(WORKSPACE).await? {
        return Ok(known);
    }
    let workspace = NewWorkspace {
        id: WORKSPACE,
        name: "Demo".to_owned(),
        plan: app.config.default_plan.clone(),
        owner: Some(owner),
    };
    let began = app.now().minus(DAY * 21);
    app.store
        .create_workspace(workspace, &Actor::operator(), began)
        .await?;
    let changes = WorkspaceChanges {
        lateness_policy: Some(LatenessPolicy::AskAfter(PATIENCE)),
        ..WorkspaceChanges::default()
    };
    let by = By {
        role: Role::Owner,
        actor: &Actor::operator(),
    };
    let made = app.store.update_workspace(WORKSPACE, &changes, by, began).await?;
    Ok(made.map_err(|_| "the demo's workspace vanished")?)
}

/// The key that an earlier start has printed, if it is still valid; otherwise a new one, and the earlier one is revoked.
pub(super) async fn provide_key(
    app: &App,
    workspace: WorkspaceId,
    kept: Option<Secret>,
) -> Result<Secret, OpenError> {
    if let Some(key) = kept
        && let Ok(found) = app.authenticate(key.expose()).await
        && found.workspace.id == workspace
    {
        return Ok(key);
    }
    for key in app.store.list_keys(workspace).await? {
        if key.name == KEY && key.created_by.is_none() {
            app.revoke_key(workspace, key.id).await?;
        }
    }
    Ok(app.create_key(workspace, KEY, None, None).await?.key)
}

/// Members and keys of three weeks; existing ones stay unchanged.
pub(super) async fn let_in(app: &App, workspace: WorkspaceId, owner: UserId) -> Result<(), OpenError> {
    let unknown = app.hash_password(Secret::new(chance::token())).await?;
    for ((email, name, role), days) in MEMBERS.into_iter().zip(1..) {
        let joined = app.now().minus(DAY * (20 - 4 * days));
        let user = NewUser {
            id: chance::id(joined),
            email: email.to_owned(),
            name: Some(name.to_owned()),
            password_hash: unknown.clone(),
        };
        let id = user.id;
        if app.store.create_user(user, joined).await? == CreateUser::Created {
            app.store.add_member(workspace, id, role, joined).await?;
        }
    }
    let known = app.store.list_keys(workspace).await?;
    for past in &KEYS {
        if known.iter().all(|key| key.name != past.name) {
            past_key(app, workspace, owner, past).await?;
        }
    }
    Ok(())
}

/// An old key, whose secret is not kept.
async fn past_key(app: &App, workspace: WorkspaceId, owner: UserId, past: &PastKey) -> Result<(), OpenError> {
    let (key, now) = (make_key(chance::bytes()), app.now());
    let (text, ago) = (key.expose(), |hours: u64| {
        now.minus(Duration::from_secs(hours * 3600))
    });
    let record = KeyRecord {
        id: chance::id(ago(past.made)),
        name: past.name.to_owned(),
        last_four: text[text.len() - 4..].to_owned(),
        created_by: Some(owner),
        created_at: ago(past.made),
        last_used_at: Some(ago(past.used)),
        expires_at: past.expired.map(ago),
        access: KeyAccess::FULL,
    };
    app.store
        .create_key(workspace, &record, hashes_of(text), &Actor::operator())
        .await?;
    Ok(())
}
