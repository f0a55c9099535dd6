//! All SQL and all migrations of Playout: one text for SQLite and PostgreSQL.
//!
//! Every public function is one transaction. Functions on a tenant's data take the workspace first; time is always
//! an argument; expected refusals are enums, and [`StoreError`] is an unexpected failure.
//!
//! The modules are layers, each of which imports only from those before it: `db`; `allowances`, `audit`, `events`, `idempotency`, `jobs`,
//! `rates` and `usage`; `posts`, `accounts` and `media`; `delivery` and `webhooks`; `people`; `instance` and `seed`. A test finds cycles.

mod accounts;
mod allowances;
mod audit;
mod db;
mod delivery;
mod events;
mod idempotency;
mod instance;
mod jobs;
mod media;
mod people;
mod posts;
mod rates;
mod seed;
mod streams;
#[cfg(test)]
mod tests;
mod usage;
mod webhooks;

pub use accounts::authorizations::Authorization;
pub use accounts::connect::{ConnectPlatform, NewConnection};
pub use accounts::platform_changes::{PlatformChanges, PlatformUpdate};
pub use accounts::revocations::Revocation;
pub use accounts::token_states::TokenState;
pub use accounts::tokens::{RefreshClaim, TokenVersion, Tokens};
pub use allowances::{Allowance, Allowed};
pub use audit::{AuditFilter, Authorship, ENDED_TRAIL_LIFETIME, EndedWorkspace};
pub use db::{
    Cause, ClockDifference, DEFAULT_POSTGRES_CONNECTIONS, IN_A_BACKUP, OnlyIf, POLL_EVERY, Page,
    RestoreTarget, Result, SEARCHES, Show, Store, StoreError, Subject, Vault, VaultError, Watch,
    inherit_time_budget, spend_time, with_time_budget,
};
pub use delivery::claims::{
    ClaimLimits, ClaimedJobs, Excluded, NextDue, OverduePosts, RenewedLeases, UnreadableJob,
};
pub use delivery::fetches::{FetchPermit, PullRenewal};
pub use delivery::hold::progress::{HeldAccount, HoldProgress, WaitingPosts};
pub use delivery::hold::search::{MarkedPost, MarkedPosts, SearchResult, Searched, UnreadablePost};
pub use delivery::hold::{Hold, LastHold, ReleasedHold};
pub use delivery::mark_published::{Mark, MarkPublished};
pub use delivery::matches::ReleaseOwner;
pub use delivery::opening::{NewSubmission, Opening};
pub use delivery::provider_events::TakeOver;
pub use delivery::settle::{AttemptDetail, Released, Settlement};
pub use delivery::start_lookup::{HoldMark, Start};
pub use delivery::submission_counts::{MOST_QUEUED, Queued, QueuedSpan, Taken};
pub use delivery::submissions::AllSent;
pub use idempotency::{BeginIdempotent, Claim, IDEMPOTENCY_LIFETIME, Keep, Stored};
pub use instance::identity::{LastSeen, StorageAdoption, Tables};
pub use instance::sweep::Swept;
pub use media::changes::{DeleteMedia, InsertMedia, MediaChanges};
pub use media::folders::{CreateFolder, RenameFolder};
pub use media::imports::{ClaimImports, Import, NewLength, Resized};
pub use media::read::{InFolder, MediaFile, MediaFilter, StoredFile};
pub use media::slides::{InsertSlides, NewSlides};
pub use media::unnamed_files::{ListedFile, UnnamedFiles};
pub use media::uploads::{BeginUpload, Upload};
pub use people::activity::FailedSignIn;
pub use people::admission::{Admission, Instance};
pub use people::credentials::Credentials;
pub use people::device_codes::TriedCode;
pub use people::device_polls::{AskDevice, KeyToBe, PollDevice};
pub use people::devices::{ApproveDevice, FoundDevice, NewDevice};
pub use people::email_verifications::{NewVerification, VerifyEmail};
pub use people::holdings::Holdings;
pub use people::invitations::{
    AcceptInvitation, CreateInvitation, InvitationLimits, InvitationToken, NewInvitation,
};
pub use people::keys::{FoundKey, InsertKey, KeyHashes};
pub use people::members::{By, ChangeMember, Unchanged};
pub use people::password_resets::ResetPassword;
pub use people::second_factors::{Confirming, SecondFactorCode, TakeCode};
pub use people::sessions::{
    FoundSession, NewSession, Renewal, SESSION_LIFETIME, SESSION_LIMIT, SessionRecord,
};
pub use people::sign_up::{NewAccount, SignUp};
pub use people::users::{CreateUser, NewCredentials, NewUser, UpdateUser, UserChanges};
pub use people::workspaces::{CreateWorkspace, ListedWorkspace, NewWorkspace, WorkspaceChanges};
pub use posts::create::{CreateGroups, NewGroup, NewPost};
pub use posts::group_changes::{DeleteGroup, ScheduleGroup, Scheduling, UnscheduleGroup};
pub use posts::read::{FoundGroup, Listed, PostFilter};
pub use posts::update_group::{GroupChanges, UpdateGroup};
pub use rates::Calls;
pub use seed::{SeedEnd, SeedGroup, SeedPosts};
pub use streams::OpenStreams;
pub use usage::{CreditCharge, LimitReached, MonthlyLimit, PostRoom, SpendCredits, Usage};
pub use webhooks::changes::{CreateWebhook, NewWebhook, SwitchedOff, WebhookChanges};
pub use webhooks::tries::{ClaimDeliveries, Outcome, Outgoing};
