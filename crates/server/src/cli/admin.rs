//! `admin`: provisioning without a browser. Each command prints one JSON object.

mod absent;
mod audit;
mod engine;
mod workspace_id;

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use playout_domain::audit::Actor;
use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::passwords::{is_common, repeats_address};
use playout_domain::people::{Email, MIN_PASSWORD_CHARS};
use playout_domain::platform::{Connection, ProviderConnection};
use playout_domain::secret::Secret;
use playout_domain::workspace::Role;
use playout_store::{CreateUser, NewUser, NewWorkspace, StoreError};
use serde_json::{Value, json};

use self::absent::absent;
use self::workspace_id::workspace_id;
use super::print::say;
use crate::app::App;
use crate::chance;
use crate::clock::SystemClock;
use crate::config::Config;
use crate::identity::messages::explained;
use crate::open_error::OpenError;
use crate::world;

/// The commands of `admin`.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Task {
    /// Users.
    #[command(subcommand)]
    User(UserTask),
    /// Workspaces.
    #[command(subcommand)]
    Workspace(WorkspaceTask),
    /// API keys.
    #[command(subcommand)]
    Key(KeyTask),
    /// Plans of workspaces.
    #[command(subcommand)]
    Plan(PlanTask),
    /// Connected accounts.
    #[command(subcommand)]
    Platform(PlatformTask),
    /// Audit trails.
    #[command(subcommand)]
    Audit(audit::AuditTask),
    /// The hold of publications.
    #[command(subcommand)]
    Engine(engine::EngineTask),
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum UserTask {
    /// Create a user who can sign in.
    Create {
        /// The address they sign in with.
        #[arg(long)]
        email: String,
        /// A file with their password, at least 8 characters; without it the password is read from standard input.
        #[arg(long)]
        password_file: Option<PathBuf>,
        /// Other users of the machine can see it in the list of processes: use the file, or standard input.
        #[arg(long, hide = true, conflicts_with = "password_file")]
        password: Option<String>,
        /// Their name.
        #[arg(long)]
        name: Option<String>,
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
    /// Set a user's password: their sessions, and links to choose a password, end.
    SetPassword {
        /// The address they sign in with.
        #[arg(long)]
        email: String,
        /// A file with the password, at least 8 characters; without it the password is read from standard input.
        #[arg(long)]
        password_file: Option<PathBuf>,
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
    /// Disable a user's second factor, for someone who has lost their app and their recovery codes. They then sign in with only
    /// their password, so make sure who is asking.
    RemoveSecondFactor {
        /// The address they sign in with.
        #[arg(long)]
        email: String,
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum WorkspaceTask {
    /// Print all workspaces: the ID and name of each, how many accounts it has, and how many of them must be connected again.
    List {
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
    /// Create a workspace.
    Create {
        /// Its name.
        #[arg(long)]
        name: String,
        /// The user who owns it: their mail address or ID.
        #[arg(long)]
        owner: Option<String>,
        /// Its plan, if not the default.
        #[arg(long)]
        plan: Option<String>,
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum KeyTask {
    /// Create an API key; it is shown only once.
    Create {
        /// The ID of the key's workspace.
        #[arg(long, value_name = "ID", value_parser = workspace_id)]
        workspace: WorkspaceId,
        /// Its name.
        #[arg(long)]
        name: String,
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum PlanTask {
    /// Put a workspace on a plan.
    Set {
        /// The ID of the workspace.
        #[arg(long, value_name = "ID", value_parser = workspace_id)]
        workspace: WorkspaceId,
        /// The plan's name.
        #[arg(long)]
        plan: String,
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum PlatformTask {
    /// Print the address at which a person connects an account; the running service completes the connection.
    Connect {
        /// The ID of the workspace that gets the account.
        #[arg(long, value_name = "ID", value_parser = workspace_id)]
        workspace: WorkspaceId,
        /// The provider.
        #[arg(long, default_value = "tiktok")]
        provider: String,
        /// The kind of connection: `creator` or `business`.
        #[arg(long, default_value = "creator")]
        connection: Connection,
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
}

impl Task {
    /// Whether it may be the first command of an installation, before the service was started.
    fn may_be_first(&self) -> bool {
        matches!(
            self,
            Self::User(UserTask::Create { .. }) | Self::Workspace(WorkspaceTask::Create { owner: None, .. })
        )
    }
}

/// Runs one command on the configured database, migrated first. A command about what is in a database makes none; one that may be the first
/// of an installation logs a warning where it does.
pub(super) async fn run(config: Config, task: Task) -> Result<ExitCode, OpenError> {
    let made = match task.may_be_first() {
        true => world::made_anew(&config)?,
        false => {
            world::refuse_no_database(&config, Arc::new(SystemClock)).await?;
            None
        }
    };
    let app = world::open(config, Arc::new(SystemClock), true).await?;
    if let Some(made) = made {
        tracing::warn!("{made}");
    }
    let checked = app.store.check_canary().await;
    checked.map_err(|error| explained(&app.config, error))?;
    let answer = match task {
        Task::User(UserTask::Create {
            email,
            password_file,
            password,
            name,
            ..
        }) => {
            let password = match password {
                Some(password) => shown_password(password),
                None => read_password(password_file.as_deref())?,
            };
            create_user(&app, &email, password.expose(), name).await?
        }
        Task::User(UserTask::SetPassword {
            email, password_file, ..
        }) => set_password(&app, &email, read_password(password_file.as_deref())?).await?,
        Task::User(UserTask::RemoveSecondFactor { email, .. }) => remove_second_factor(&app, &email).await?,
        Task::Workspace(WorkspaceTask::Create {
            name, owner, plan, ..
        }) => {
            let owner = match owner {
                Some(owner) => Some(find_owner(&app, &owner).await?),
                None => None,
            };
            create_workspace(&app, &name, owner, plan).await?
        }
        Task::Workspace(WorkspaceTask::List { .. }) => list_workspaces(&app).await?,
        Task::Key(KeyTask::Create { workspace, name, .. }) => create_key(&app, workspace, &name).await?,
        Task::Plan(PlanTask::Set { workspace, plan, .. }) => set_plan(&app, workspace, &plan).await?,
        Task::Platform(PlatformTask::Connect {
            workspace,
            provider,
            connection,
            ..
        }) => {
            let wanted = ProviderConnection {
                provider: &provider,
                connection,
            };
            json!({ "authorizationUrl": app.start_connecting(workspace, wanted).await? })
        }
        Task::Audit(task) => audit::run(&app, task).await?,
        Task::Engine(task) => engine::run(&app, task).await?,
    };
    say(answer);
    app.store.close().await;
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn create_user(
    app: &App,
    email: &str,
    password: &str,
    name: Option<String>,
) -> Result<Value, OpenError> {
    let email = Email::parse(email)
        .ok_or("the e-mail address must have the form name@host")?
        .to_string();
    check_new_password(password, &email)?;
    let hash = app.hash_password(Secret::new(password)).await?;
    let id: UserId = chance::id(app.now());
    let user = NewUser {
        id,
        email: email.clone(),
        name: name.clone(),
        password_hash: hash,
    };
    match app.store.create_user(user, app.now()).await? {
        CreateUser::Created => {
            let operator = app.store.is_operator(id).await?;
            Ok(json!({ "id": id, "email": email, "name": name, "operator": operator }))
        }
        CreateUser::EmailTaken => Err(format!("a user with the address {email} exists").into()),
    }
}

async fn set_password(app: &App, email: &str, password: Secret) -> Result<Value, OpenError> {
    check_new_password(password.expose(), email)?;
    let found = app.store.find_user_by_email(email).await?;
    let user = found
        .ok_or_else(|| absent(app, format!("no user has the address {email}")))?
        .user;
    let hash = app.hash_password(password).await?;
    match app
        .store
        .set_password(user.id, &hash, &Actor::operator(), app.now())
        .await?
    {
        true => Ok(json!({ "id": user.id, "email": user.email })),
        false => Err(format!("no user has the address {email}").into()),
    }
}

fn check_new_password(password: &str, email: &str) -> Result<(), OpenError> {
    if password.chars().count() < MIN_PASSWORD_CHARS {
        return Err("the password must have at least 8 characters".into());
    }
    if is_common(password) || repeats_address(password, email) {
        return Err("the password is too common".into());
    }
    Ok(())
}

fn shown_password(password: String) -> Secret {
    tracing::warn!(
        "--password is visible in the list of processes: use --password-file, or give it on standard input"
    );
    Secret::new(password)
}

/// The first line of a file, or of standard input.
fn read_password(file: Option<&Path>) -> Result<Secret, OpenError> {
    let stdin = std::io::stdin();
    let mut line = String::new();
    match file {
        Some(file) => {
            let opened = std::fs::File::open(file);
            let opened = opened.map_err(|error| format!("the password file {}: {error}", file.display()))?;
            std::io::BufReader::new(opened).read_line(&mut line)?
        }
        None if stdin.is_terminal() => {
            let problem = "the password is read from standard input, which is a terminal here and would show it: \
                pipe it in, or use --password-file";
            return Err(problem.into());
        }
        None => stdin.lock().read_line(&mut line)?,
    };
    Ok(Secret::new(line.trim_end_matches(['\r', '\n'])))
}

async fn remove_second_factor(app: &App, email: &str) -> Result<Value, OpenError> {
    let found = app.store.find_user_by_email(email).await?;
    let user = found
        .ok_or_else(|| absent(app, format!("no user has the address {email}")))?
        .user;
    match app
        .store
        .delete_second_factor(user.id, &Actor::operator(), app.now())
        .await?
    {
        true => Ok(json!({ "id": user.id, "email": user.email, "secondFactor": false })),
        false => Err(format!("{email} has no second factor").into()),
    }
}

/// The user whose mail address or ID this is. That a user with an ID exists is checked when the workspace is created.
async fn find_owner(app: &App, owner: &str) -> Result<UserId, OpenError> {
    if let Ok(id) = owner.parse() {
        return Ok(id);
    }
    let found = app.store.find_user_by_email(owner).await?;
    let found = found.ok_or_else(|| absent(app, format!("no user has the address or ID {owner}")))?;
    Ok(found.user.id)
}

/// Creates a workspace, with or without an owner.
pub(super) async fn create_workspace(
    app: &App,
    name: &str,
    owner: Option<UserId>,
    plan: Option<String>,
) -> Result<Value, OpenError> {
    let plan = plan.unwrap_or_else(|| app.config.default_plan.clone());
    known_plan(app, &plan)?;
    let id: WorkspaceId = chance::id(app.now());
    let workspace = NewWorkspace {
        id,
        name: name.to_owned(),
        plan: plan.clone(),
        owner,
    };
    let created = app
        .store
        .create_workspace(workspace, &Actor::operator(), app.now())
        .await;
    match (created, owner) {
        (Err(StoreError::Conflict { .. }), Some(owner)) => {
            return Err(absent(app, format!("no user has the ID {owner}")));
        }
        (created, _) => created?,
    }
    let role = owner.map(|_| Role::Owner.as_str());
    Ok(json!({ "id": id, "name": name, "plan": plan, "role": role }))
}

async fn list_workspaces(app: &App) -> Result<Value, OpenError> {
    let listed = app.store.list_workspaces().await?;
    let shown = listed.into_iter().map(|workspace| {
        json!({
            "id": workspace.id,
            "name": workspace.name,
            "accounts": workspace.accounts,
            "accountsToConnectAgain": workspace.accounts_to_connect,
        })
    });
    Ok(json!({ "workspaces": shown.collect::<Vec<_>>() }))
}

async fn create_key(app: &App, workspace: WorkspaceId, name: &str) -> Result<Value, OpenError> {
    if app.store.find_workspace(workspace).await?.is_none() {
        return Err(absent(app, format!("no workspace has the ID {workspace}")));
    }
    let made = app.create_key(workspace, name, None, None).await?;
    Ok(json!({
        "id": made.record.id,
        "name": made.record.name,
        "key": made.key.expose(),
        "lastFour": made.record.last_four,
        "workspaceId": workspace,
        "createdAt": made.record.created_at,
        "expiresAt": made.record.expires_at,
    }))
}

async fn set_plan(app: &App, workspace: WorkspaceId, plan: &str) -> Result<Value, OpenError> {
    known_plan(app, plan)?;
    let by = Actor::operator();
    if !app.store.set_plan(workspace, plan, &by, app.now()).await? {
        return Err(absent(app, format!("no workspace has the ID {workspace}")));
    }
    Ok(json!({ "id": workspace, "plan": plan }))
}

fn known_plan(app: &App, plan: &str) -> Result<(), OpenError> {
    match app.config.plans.find(plan) {
        Some(_) => Ok(()),
        None => Err(format!("no plan is called {plan:?}").into()),
    }
}
