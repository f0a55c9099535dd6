//! Audit entries of a person that belong to no workspace: sign-ins, and what protects them. A row is written in the
//! transaction of the change that it records, and deleted with the person. Only failed sign-ins update a row: it counts
//! those of one minute, so that guessing writes at most one row per person, kind and minute.

use std::time::Duration;

use playout_domain::audit::{ActivityEntry, Actor, ActorKind, PersonalAction};
use playout_domain::id::{AuditId, SessionId, UserId};
use playout_domain::time::Time;
use playout_domain::workspace::User;
use serde_json::Value;
use uuid::Uuid;

use crate::audit::read_actor;
use crate::db::{Page, Result, Row, Store, Tx, new_id, params, read_all};

/// Failed sign-ins within one are one entry.
const COUNTED_FOR: Duration = Duration::from_secs(60);

/// What is noted of an action of a person beside who did it.
pub(crate) struct Personal {
    pub(crate) action: PersonalAction,
    pub(crate) detail: Option<Value>,
}

/// A sign-in that failed.
#[derive(Debug, Clone)]
pub struct FailedSignIn {
    /// Whose address was given. Where no one has it, an identifier that no one has: the same statement runs, and writes
    /// nothing.
    pub user: UserId,
    /// What was wrong.
    pub action: PersonalAction,
    /// The network address it came from.
    pub address: Option<String>,
}

pub(crate) const LIST_ACTIVITY: &str =
    "SELECT id, actor_kind, actor_id, actor_name, session_id, address, action, times, detail, created_at
    FROM activity WHERE user_id = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4";

impl Store {
    /// What concerns a person, newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_activity(&self, user: UserId, page: Page) -> Result<Vec<ActivityEntry>> {
        let (at, id) = page.after.unwrap_or((Time::from_micros(i64::MAX), Uuid::max()));
        let rows = self
            .rows(LIST_ACTIVITY, params![user, at, id, page.limit])
            .await?;
        read_all(&rows, read_entry)
    }

    /// Notes a failed sign-in, or counts it where there was one like it in the same minute: the entry keeps the network
    /// address of the first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_failed_sign_in(&self, failed: FailedSignIn, now: Time) -> Result<()> {
        let sql = "INSERT INTO activity (user_id, id, actor_kind, actor_id, actor_name, address, action,
                minute, times, created_at)
            SELECT u.id, $2, $3, u.id, u.email, $4, $5, $6, 1, $7 FROM users u WHERE u.id = $1
            ON CONFLICT (user_id, action, minute) WHERE minute IS NOT NULL DO UPDATE SET times = activity.times + 1";
        let minute = now.as_micros() / i64::try_from(COUNTED_FOR.as_micros()).unwrap_or(i64::MAX);
        let params = params![
            failed.user,
            new_id::<AuditId>(now),
            ActorKind::User.as_str(),
            failed.address,
            failed.action.as_str(),
            minute,
            now
        ];
        self.execute(sql, params).await?;
        Ok(())
    }
}

impl Tx {
    /// Notes what `actor` did that concerns a person.
    pub(crate) async fn note_personal(
        &mut self,
        user: UserId,
        actor: &Actor,
        noted: Personal,
        now: Time,
    ) -> Result<()> {
        let sql = "INSERT INTO activity (user_id, id, actor_kind, actor_id, actor_name, session_id, address,
                action, times, detail, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $10)";
        let params = params![
            user,
            new_id::<AuditId>(now),
            actor.kind.as_str(),
            actor.id,
            actor.name.clone(),
            actor.session,
            actor.address.clone(),
            noted.action.as_str(),
            noted.detail,
            now
        ];
        self.execute(sql, params).await?;
        Ok(())
    }
}

impl From<PersonalAction> for Personal {
    fn from(action: PersonalAction) -> Self {
        Self { action, detail: None }
    }
}

/// A person as they act on themselves, in a session or on the way to one.
pub(crate) fn themselves(user: &User, session: Option<SessionId>, address: Option<String>) -> Actor {
    Actor {
        kind: ActorKind::User,
        id: Some(user.id.0),
        name: Some(user.email.clone()),
        session,
        address,
    }
}

fn read_entry(row: &Row) -> Result<ActivityEntry> {
    let fields = row.of("activity");
    Ok(ActivityEntry {
        id: fields.id("id")?,
        actor: read_actor(fields)?,
        action: fields.word("action", PersonalAction::parse)?,
        count: fields.number("times")?,
        detail: fields.opt_json("detail")?,
        created_at: fields.time("created_at")?,
    })
}
