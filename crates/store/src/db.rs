//! The database behind the rooms: its pools and transactions, what goes into a statement and what comes out, the errors, the schema.
//! All differences between SQLite and PostgreSQL are here.
//!
//! Nothing here looks at the rooms above. They use what is listed below; its own files use one another by their own paths.

pub(crate) mod chance;
pub(crate) mod changes;
pub(crate) mod clock;
pub(crate) mod error;
pub(crate) mod indexes;
pub(crate) mod insert;
pub(crate) mod migrations;
pub(crate) mod open;
pub(crate) mod param;
pub(crate) mod postgres;
pub(crate) mod row;
pub(crate) mod sqlite;
pub(crate) mod store;
pub(crate) mod time_budget;
pub(crate) mod vault;

pub use self::changes::Watch;
pub use self::clock::ClockDifference;
pub use self::error::{Cause, Result, StoreError};
pub use self::open::DEFAULT_POSTGRES_CONNECTIONS;
pub use self::store::{SEARCHES, Store};
pub use self::time_budget::{inherit_time_budget, spend_time, with_time_budget};
pub use self::vault::{Vault, VaultError};

pub(crate) use self::chance::{new_id, random_bytes};
pub(crate) use self::insert::{none_of, numbered, padded};
pub(crate) use self::param::{Param, json, params};
pub(crate) use self::row::{Fields, Row, read_all, read_one};
pub(crate) use self::store::{Pools, Tx};
pub(crate) use self::vault::{Cell, SealedColumn};
