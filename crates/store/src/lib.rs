//! All SQL and all migrations of Playout: one text for SQLite and PostgreSQL.
//!
//! Every public function is one transaction. Functions on a tenant's data take the workspace first; time is always
//! an argument; expected refusals are enums, and [`StoreError`] is what nobody chose.

mod attempts;
mod authorizations;
mod chance;
mod conclude;
mod connect;
mod create_posts;
mod db;
mod devices;
mod error;
mod events;
mod fetches;
mod folders;
mod group_changes;
mod idempotency;
mod insert;
mod jobs;
mod keys;
mod media;
mod media_changes;
mod news;
mod open;
mod param;
mod platforms;
mod posts;
mod removed_files;
mod row;
mod seed;
mod sessions;
mod settle;
mod sqlite;
mod submissions;
mod sweep;
#[cfg(test)]
mod tests;
mod tokens;
mod update_group;
mod uploads;
mod usage;
mod users;
mod vault;

pub use authorizations::Authorization;
pub use connect::{ConnectPlatform, NewConnection};
pub use create_posts::{CreateGroups, NewGroup, NewPost};
pub use db::Store;
pub use devices::{NewDevice, PendingDevice, PollDevice};
pub use error::{Cause, Result, StoreError};
pub use fetches::FetchPermit;
pub use folders::{CreateFolder, RenameFolder};
pub use group_changes::{DeleteGroup, ScheduleGroup, Scheduling};
pub use idempotency::{BeginIdempotent, Claim, IDEMPOTENCY_LIFETIME, Keep, Stored};
pub use jobs::{ClaimLimits, LOOK_EVERY, Release};
pub use keys::FoundKey;
pub use media::{InFolder, MediaFile, MediaFilter};
pub use media_changes::{DeleteMedia, InsertMedia, MediaChanges};
pub use open::DEFAULT_POSTGRES_CONNECTIONS;
pub use platforms::PlatformChanges;
pub use posts::{FoundGroup, Page, PostFilter};
pub use seed::SeedPosts;
pub use sessions::SESSION_LIFETIME;
pub use settle::{AttemptDetail, Released, Settlement};
pub use submissions::NewSubmission;
pub use sweep::Swept;
pub use tokens::{REFRESH_AHEAD, RefreshClaim, Tokens};
pub use update_group::{GroupChanges, UpdateGroup};
pub use uploads::Upload;
pub use usage::{LimitReached, MonthlyLimit, SpendCredits, Usage};
pub use users::{CreateUser, Credentials, NewUser, NewWorkspace};
pub use vault::{Vault, VaultError};
