//! Sending deliveries: claimed under a lease, in turns between workspaces, and settled behind a fence, as jobs are
//! (`delivery/claims.rs`). A sender that dies leaves a lease that ends; what it sent is sent again then, under the same `webhook-id`.

use std::collections::HashMap;
use std::time::Duration;

use playout_domain::change::Noun;
use playout_domain::id::{DeliveryId, EventId, WebhookId, WorkspaceId};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use playout_domain::webhook::{Answer, DELIVERY_WINDOW, Disabled};
use sqlx::AssertSqlSafe;

use super::changes::SwitchedOff;
use super::secrets::signing_secrets;
use crate::db::{Param, Result, Row, Store, Tx, none_of, numbered, params};

/// How many due deliveries are weighed against one another for fairness.
const WEIGHED: u32 = 4096;
/// How many times the deliveries wanted are looked at, because other nodes may hold the first of them at that instant.
const SHORTLISTED: u32 = 4;

/// How much to claim, for whom, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct ClaimDeliveries<'a> {
    /// At most so many.
    pub limit: u32,
    /// At most so many for one webhook.
    pub per_webhook: u32,
    /// At most so many for one workspace, with those of `in_flight`.
    pub per_workspace: u32,
    /// None for these webhooks, which are busy.
    pub busy: &'a [WebhookId],
    /// None for these workspaces.
    pub without: &'a [WorkspaceId],
    /// How many deliveries of these workspaces are being sent. Their turns are later by as many.
    pub in_flight: &'a [(WorkspaceId, u32)],
    /// How long they are ours.
    pub lease: Duration,
}

/// A claimed delivery. `id` and `attempt` together are the fence.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Which delivery.
    pub id: DeliveryId,
    /// Which try of it, from 1.
    pub attempt: i64,
    /// Whose it is.
    pub workspace_id: WorkspaceId,
    /// To which webhook.
    pub webhook_id: WebhookId,
    /// The `webhook-id` of every try.
    pub event_id: EventId,
    /// What is sent.
    pub body: String,
    /// Where to.
    pub url: String,
    /// Whether the webhook is switched off: then this is the only try.
    pub is_disabled: bool,
    /// What it is signed with, the newest first. Empty where none can be read.
    pub secrets: Vec<Secret>,
    /// How many tries failed in a row.
    pub failures: u32,
    /// When it is given up.
    pub deadline_at: Time,
}

/// What a try has led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver took it.
    Delivered,
    /// It is sent again then.
    Again(Time),
    /// It is not sent again. If the webhook took nothing since this delivery was first tried, it is switched off.
    GivenUp,
    /// The receiver is gone: the webhook is switched off.
    Gone,
}

pub(crate) const NEXT_DELIVERY: &str =
    "SELECT due_at AS next_at FROM webhook_deliveries WHERE state = 'pending'
    ORDER BY due_at LIMIT 1";

impl Store {
    /// Claims due deliveries that no sender holds, earliest first, in turns between workspaces and, within a workspace,
    /// between webhooks. Each has a higher attempt than ever before.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn claim_deliveries(
        &self,
        owner: &str,
        claim: ClaimDeliveries<'_>,
        now: Time,
    ) -> Result<Vec<Outgoing>> {
        let mut tx = self.begin().await?;
        let sql = claim_sql(&tx, &claim);
        let (until, deadline) = (now.plus(claim.lease), now.plus(DELIVERY_WINDOW));
        let mut params = params![now, claim.limit, owner, until, deadline];
        params.extend(claim.busy.iter().map(|id| Param::from(*id)));
        params.extend(claim.without.iter().map(|id| Param::from(*id)));
        params.extend(claim.in_flight.iter().map(|(id, _)| Param::from(*id)));
        let rows = tx.rows(AssertSqlSafe(sql), params).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let receivers = tx.receivers(&rows).await?;
        tx.commit().await?;
        let mut claimed = Vec::with_capacity(rows.len());
        for row in &rows {
            claimed.extend(self.outgoing(row, &receivers, now)?);
        }
        claimed.sort_by_key(|outgoing| outgoing.id);
        Ok(claimed)
    }

    /// When there is next something to send, or a lease ends. It may be past.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next_delivery_at(&self) -> Result<Option<Time>> {
        let row = self.row(NEXT_DELIVERY, params![]).await?;
        row.map_or(Ok(None), |row| row.of("webhook_deliveries").opt_time("next_at"))
    }

    /// Notes what came of a try; nothing is changed if another sender has taken over, or the webhook was switched
    /// off meanwhile. Returns the webhook if this switched it off.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn settle_delivery(
        &self,
        held: &Outgoing,
        answer: &Answer,
        outcome: Outcome,
        now: Time,
    ) -> Result<Option<SwitchedOff>> {
        let mut tx = self.begin().await?;
        // Before the delivery: locks are taken in that order.
        let ends = matches!(outcome, Outcome::GivenUp | Outcome::Gone);
        let webhook = match ends {
            true => tx.lock_webhook(held.workspace_id, held.webhook_id).await?,
            false => None,
        };
        if !tx.write_outcome(held, answer, outcome, now).await? {
            return Ok(None);
        }
        tx.changed(held.workspace_id, Noun::Webhook);
        let reason = match outcome {
            Outcome::Gone => Some(Disabled::Gone),
            Outcome::GivenUp if tx.took_nothing_since(held).await? => Some(Disabled::Failing),
            _ => None,
        };
        let off = match (reason, webhook.filter(|webhook| webhook.disabled.is_none())) {
            (Some(reason), Some(webhook)) => {
                Some(tx.switch_off(held.workspace_id, webhook, reason, now).await?)
            }
            _ => None,
        };
        tx.commit().await?;
        Ok(off)
    }

    fn outgoing(
        &self,
        row: &Row,
        receivers: &HashMap<WebhookId, Row>,
        now: Time,
    ) -> Result<Option<Outgoing>> {
        let fields = row.of("webhook_deliveries");
        let webhook_id: WebhookId = fields.id("webhook_id")?;
        let Some(receiver) = receivers.get(&webhook_id) else {
            return Ok(None);
        };
        Ok(Some(Outgoing {
            id: fields.id("id")?,
            attempt: fields.get("attempt")?,
            workspace_id: fields.id("workspace_id")?,
            webhook_id,
            event_id: fields.id("event_id")?,
            body: fields.get("body")?,
            url: receiver.of("webhooks").get("url")?,
            is_disabled: receiver.of("webhooks").get("disabled")?,
            secrets: signing_secrets(&self.0.vault, receiver, now)?,
            failures: fields.number("failures")?,
            deadline_at: fields.time("deadline_at")?,
        }))
    }
}

impl Tx {
    /// The webhooks of claimed deliveries.
    async fn receivers(&mut self, claimed: &[Row]) -> Result<HashMap<WebhookId, Row>> {
        let ids = claimed
            .iter()
            .map(|row| row.of("webhook_deliveries").id("webhook_id"));
        let mut ids: Vec<WebhookId> = ids.collect::<Result<_>>()?;
        ids.sort_unstable();
        ids.dedup();
        let sql = receivers_sql(&numbered(1, ids.len()));
        let rows = self
            .rows(AssertSqlSafe(sql), ids.into_iter().map(Param::from).collect())
            .await?;
        let named = rows
            .into_iter()
            .map(|row| Ok((row.of("webhooks").id("id")?, row)));
        named.collect()
    }

    async fn write_outcome(
        &mut self,
        held: &Outgoing,
        answer: &Answer,
        outcome: Outcome,
        now: Time,
    ) -> Result<bool> {
        let sql = "UPDATE webhook_deliveries SET state = $3, due_at = COALESCE($4, due_at), finished_at = $5,
                failures = failures + $6, response_status = $7, response_text = $8, problem = $9,
                leased_until = NULL, lease_owner = NULL
            WHERE id = $1 AND attempt = $2 AND state = 'pending'";
        let (state, again, finished) = match outcome {
            Outcome::Delivered => ("delivered", None, Some(now)),
            Outcome::Again(at) => ("pending", Some(at), None),
            Outcome::GivenUp | Outcome::Gone => ("failed", None, Some(now)),
        };
        let params = params![
            held.id,
            held.attempt,
            state,
            again,
            finished,
            i64::from(outcome != Outcome::Delivered),
            answer.status,
            answer.text.clone(),
            answer.problem.clone()
        ];
        Ok(self.execute(sql, params).await? > 0)
    }

    /// Whether the webhook took nothing since this delivery was first tried.
    async fn took_nothing_since(&mut self, held: &Outgoing) -> Result<bool> {
        let since = held.deadline_at.minus(DELIVERY_WINDOW);
        let sql = "SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'delivered'
            AND finished_at >= $2 LIMIT 1";
        let row = self.row(sql, params![held.webhook_id, since]).await?;
        Ok(row.is_none())
    }
}

/// The text of [`Store::claim_deliveries`]: its parameters from the sixth are `busy`, `without` and `in_flight`.
pub(crate) fn claim_sql(tx: &Tx, claim: &ClaimDeliveries<'_>) -> String {
    let skip_locked = tx.skip_locked("d");
    let (per_webhook, per_workspace) = (claim.per_webhook, claim.per_workspace);
    let (busy, without) = (claim.busy.len(), claim.without.len());
    let not_busy = none_of("webhook_id", 6, busy);
    let not_without = none_of("workspace_id", 6 + busy, without);
    let in_flight = counts_of(claim.in_flight, 6 + busy + without);
    format!(
        "WITH candidates AS (
            SELECT id, workspace_id, webhook_id, due_at FROM webhook_deliveries
            WHERE state = 'pending' AND due_at <= $1 {not_busy} {not_without} ORDER BY due_at LIMIT {WEIGHED}
        ), webhook_turns AS (
            SELECT id AS turn_id, workspace_id AS turn_of, due_at AS turn_at,
                ROW_NUMBER() OVER (PARTITION BY webhook_id ORDER BY due_at, id) AS webhook_turn
            FROM candidates
        ), turns AS (
            SELECT turn_id, turn_at, {in_flight}
                + ROW_NUMBER() OVER (PARTITION BY turn_of ORDER BY webhook_turn, turn_at, turn_id) AS turn
            FROM webhook_turns WHERE webhook_turn <= {per_webhook}
        ), shortlist AS (
            SELECT turn_id, turn, turn_at FROM turns WHERE turn <= {per_workspace}
            ORDER BY turn, turn_at, turn_id LIMIT $2 * {SHORTLISTED}
        ), picked AS (
            SELECT d.id AS picked_id FROM shortlist JOIN webhook_deliveries d ON d.id = turn_id
            WHERE d.state = 'pending' AND d.due_at <= $1 ORDER BY turn, turn_at, d.id LIMIT $2 {skip_locked}
        )
        UPDATE webhook_deliveries SET attempt = attempt + 1, lease_owner = $3, leased_until = $4, due_at = $4,
            attempted_at = $1, deadline_at = COALESCE(deadline_at, $5)
        WHERE id IN (SELECT picked_id FROM picked)
        RETURNING id, workspace_id, webhook_id, event_id, body, attempt, failures, deadline_at"
    )
}

/// How many deliveries of the workspace `turn_of` are being sent; the workspaces are parameters from the `first`.
fn counts_of(in_flight: &[(WorkspaceId, u32)], first: usize) -> String {
    let cases = (first..).zip(in_flight);
    let cases: String = cases
        .map(|(number, (_, count))| format!(" WHEN ${number} THEN {count}"))
        .collect();
    match cases.is_empty() {
        true => "0".to_owned(),
        false => format!("CASE turn_of{cases} ELSE 0 END"),
    }
}

/// The text of the query for the webhooks among `list`.
pub(crate) fn receivers_sql(list: &str) -> String {
    format!(
        "SELECT id, url, disabled, secret, previous_secret, previous_until FROM webhooks WHERE id IN ({list})"
    )
}
