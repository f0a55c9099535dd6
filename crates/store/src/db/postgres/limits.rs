//! What is set on every connection to PostgreSQL: above all how long anything on it may take.
//!
//! A peer can stall or vanish at any moment: a node in the middle of a transaction, the server, the network between them. Two
//! kinds of limits keep it from stopping everything else. The server's own, set on every connection, end what a node left behind:
//! its statements, its waits for locks, its idle transactions, and its connection once the node no longer answers. Ours end what
//! the server leaves us waiting for; the connection is given up then, and its place is free for another.

use std::time::Duration;

/// How long a request waits for a free connection.
pub(super) const ACQUIRE: Duration = Duration::from_secs(2);
/// How long a statement waits for a lock.
const LOCK: Duration = Duration::from_millis(2500);
/// How long a statement may take.
const STATEMENT: Duration = Duration::from_secs(4);
/// How long we wait for the answer to a statement: a little longer, so that the server has the first word.
pub(crate) const ANSWER: Duration = Duration::from_millis(4500);
/// How long a commit may take. What became of one that is given up is not known, so it is given time.
pub(super) const COMMIT: Duration = Duration::from_secs(30);
/// How long a request waits for its commit at least, even when less is left of its budget.
pub(super) const COMMIT_AT_LEAST: Duration = Duration::from_millis(400);
/// How long a statement may take that a request's caller does not wait for, or cannot be split.
pub(crate) const LONG: Duration = Duration::from_secs(120);
/// How long a ping may take: readiness answers within 2 s.
pub(crate) const SIGN_OF_LIFE: Duration = Duration::from_millis(1500);
/// How long a transaction may be idle: a node that stalls in the middle of one keeps its locks for as long.
const IDLE_IN_TRANSACTION: Duration = Duration::from_secs(10);
/// How long the server waits for a client that no longer answers, whether or not it has something to send it.
const VANISHED: Duration = Duration::from_secs(15);
/// A connection this old is replaced by a new one, so that what the server keeps for it does not grow for ever.
pub(super) const LIFETIME: Duration = Duration::from_secs(30 * 60);
/// A connection that was used so long ago is tested before it is used again.
pub(super) const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// Set by a statement, not with the start of the connection: poolers refuse to pass that on. What the address sets itself, in
/// `options`, stays as it is.
pub(super) fn limits(own: &str) -> String {
    let millis = |(name, limit): (&str, Duration)| format!("SET {name} = {}", limit.as_millis());
    let seconds = |(name, value): (&str, u64)| format!("SET {name} = {value}");
    let timeouts = [
        ("statement_timeout", STATEMENT),
        ("lock_timeout", LOCK),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION),
        ("tcp_user_timeout", VANISHED),
    ];
    let keep_alive = [
        ("tcp_keepalives_idle", VANISHED.as_secs() / 3),
        ("tcp_keepalives_interval", VANISHED.as_secs() / 3),
        ("tcp_keepalives_count", 2),
    ];
    let all: Vec<String> = timeouts
        .into_iter()
        .map(millis)
        .chain(keep_alive.into_iter().map(seconds))
        .chain(std::iter::once(NO_JIT.to_owned()))
        .filter(|set| set.split(' ').nth(1).is_some_and(|name| !own.contains(name)))
        .chain([DURABLE.to_owned(), READ_COMMITTED.to_owned()])
        .collect();
    all.join("; ")
}

/// PostgreSQL compiles statements that it expects to cost much, which it does by default and can take longer than [`STATEMENT`]. Ours read
/// few rows, also where it expects more.
const NO_JIT: &str = "SET jit = off";

/// What is committed survives a crash of the server, even where its configuration would not ensure it: a submission that it
/// forgets goes out again.
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', FALSE) WHERE current_setting('synchronous_commit') = 'off'";

/// Transactions run at this level, whatever the server, the database or the role has as its default: what is read after a lock must be what
/// the transactions before have committed (`tx.rs`). At the higher levels it is what was there when the transaction began.
pub(super) const READ_COMMITTED: &str = "SET default_transaction_isolation = 'read committed'";
