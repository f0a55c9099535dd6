//! The database below all other modules: its pools and transactions, what goes into a statement and what comes out, errors, the schema.
//!
//! What differs between SQLite and PostgreSQL:
//!
//! - writing: SQLite has one writer, whose transactions share commits (`sqlite/writer.rs`), so that no row is locked; PostgreSQL locks rows
//!   (`tx.rs`, `statements.rs`);
//! - connections: SQLite's statements run where they are called (`sqlite.rs`); PostgreSQL has three pools with limits of time (`postgres.rs`,
//!   `postgres/limits.rs`);
//! - other nodes: PostgreSQL's are notified (`signals.rs`) and go by its clock (`clock.rs`);
//! - where the database is (`home.rs`), and copies of it (`open.rs`, `sqlite/copy.rs`, `sqlite/backup_mark.rs`);
//! - the log, which is copied into SQLite's file beside the commits (`sqlite/log.rs`);
//! - large indexes, which PostgreSQL gets beside the running service (`indexes.rs`), and triggers (`triggers.rs`);
//! - searches: `instr` or `strpos`, a thread or a transaction (`search.rs`), the index of texts (`text_index.rs`), folded texts
//!   (`folded.rs`).
//!
//! Imports nothing from the modules above. They use what is re-exported here; the files of this module use one another directly.

pub(crate) mod chance;
mod changes;
mod clock;
mod error;
mod folded;
mod home;
pub(crate) mod indexes;
mod insert;
mod lookup;
pub(crate) mod migrations;
mod only_if;
mod open;
mod page;
pub(crate) mod param;
pub(crate) mod postgres;
mod row;
mod sealed;
mod search;
mod show;
mod signals;
mod sqlite;
mod statements;
pub(crate) mod store;
mod text_index;
mod time_budget;
mod triggers;
mod tx;
mod vault;
mod word_checks;

pub use self::changes::Watch;
pub use self::clock::ClockDifference;
pub use self::error::{Cause, Result, StoreError};
pub use self::only_if::OnlyIf;
pub use self::open::{DEFAULT_POSTGRES_CONNECTIONS, RestoreTarget};
pub use self::page::Page;
pub use self::search::SEARCHES;
pub use self::show::{Show, Subject};
pub use self::sqlite::IN_A_BACKUP;
pub(crate) use self::store::Dialect;
pub use self::store::Store;
pub use self::time_budget::{inherit_time_budget, spend_time, with_time_budget};
pub use self::tx::POLL_EVERY;
pub use self::vault::{Vault, VaultError};

pub(crate) use self::chance::new_id;
pub(crate) use self::folded::{fold, folded_text, stored_fold};
pub(crate) use self::insert::{asked, none_of, numbered, padded, placeholders};
pub(crate) use self::lookup::Lookup;
pub(crate) use self::only_if::require;
pub(crate) use self::page::MOST_BYTES;
pub(crate) use self::param::{Param, json, params};
pub(crate) use self::row::{Fields, Row, read_all, read_one};
pub(crate) use self::sealed::SealedColumn;
pub(crate) use self::search::Search;
pub(crate) use self::text_index::Candidates;
pub(crate) use self::tx::Tx;
pub(crate) use self::vault::Cell;
