//! A small world for tests: a workspace with an owner, an account, and all that a test adds to it.

use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::id::{GroupId, MediaId, PlatformId, PostId, SubmissionId, UserId, WorkspaceId};
use playout_domain::job::{Job, JobQueue};
use playout_domain::media::{Media, MediaStatus, MimeType};
use playout_domain::platform::Connection;
use playout_domain::post::{Post, PostState};
use playout_domain::provider::{AccountOptions, AccountProfile, TokenSet};
use playout_domain::secret::Secret;
use playout_domain::submission::Transfer;
use playout_domain::time::Time;
use serde_json::{Map, Value};

use crate::db::chance::random_bytes;
use crate::db::new_id;
use crate::{
    Authorship, ClaimLimits, ConnectPlatform, CreateGroups, CreateUser, Excluded, InsertMedia, KeyHashes,
    NewConnection, NewGroup, NewPost, NewSession, NewSubmission, NewUser, NewWorkspace, Store,
};

/// When every test begins: noon of 20 November 2026, UTC.
pub(crate) const NOON: Time = Time::from_secs(1_795_176_000);

pub(crate) const MINUTE: Duration = Duration::from_secs(60);
pub(crate) const HOUR: Duration = Duration::from_secs(3600);
pub(crate) const DAY: Duration = Duration::from_secs(24 * 3600);

/// A workspace and one account of it.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) owner: UserId,
    pub(crate) workspace: WorkspaceId,
    pub(crate) platform: PlatformId,
}

impl World {
    pub(crate) async fn new(store: Store) -> Self {
        let owner = new_user(&store).await;
        let workspace = new_workspace(&store, owner).await;
        let platform = connect(&store, workspace, "account-1").await;
        Self {
            store,
            owner,
            workspace,
            platform,
        }
    }

    /// Another workspace on the same store, with an account of its own.
    pub(crate) async fn neighbour(&self) -> Self {
        Self::new(self.store.clone()).await
    }

    /// Makes one group without comments.
    pub(crate) async fn post(&self, queued: bool, scheduled_for: Option<Time>) -> Post {
        self.group(new_group(self.platform, queued, scheduled_for)).await
    }

    /// Makes a group without a limit; answers its root.
    pub(crate) async fn group(&self, group: NewGroup) -> Post {
        match self
            .store
            .create_groups(self.workspace, vec![group], None, NOON)
            .await
            .unwrap()
        {
            CreateGroups::Created(mut groups) => groups.remove(0).root,
            CreateGroups::LimitReached(reached) => panic!("{reached:?}"),
        }
    }

    /// Queues a post for now and claims its job.
    pub(crate) async fn claimed(&self) -> (Post, Job) {
        let post = self.post(true, None).await;
        let job = self
            .claim_at(NOON)
            .await
            .into_iter()
            .find(|job| job.post_id == Some(post.id));
        (post, job.unwrap())
    }

    /// Claims everything that is due, for a minute.
    pub(crate) async fn claim_at(&self, now: Time) -> Vec<Job> {
        self.claim_as("worker-1", now).await
    }

    /// The same as this node.
    pub(crate) async fn claim_as(&self, node: &str, now: Time) -> Vec<Job> {
        let mut claimed = Vec::new();
        for queue in JobQueue::ALL {
            let limits = ClaimLimits {
                queue,
                limit: 100,
                per_account: 100,
                without: &Excluded::default(),
                lease: MINUTE,
            };
            claimed.extend(self.store.claim(node, &limits, now).await.unwrap().jobs);
        }
        claimed.sort_by_key(|job| (job.run_at, job.id));
        claimed
    }

    /// Opens a submission with an upload for a claimed job.
    pub(crate) async fn open(&self, job: &Job) -> SubmissionId {
        let new = new_submission(Transfer::Upload);
        assert!(self.store.open_submission(job, &new, NOON).await.unwrap());
        new.id
    }

    /// Adds a READY image of `size_bytes`.
    pub(crate) async fn media(&self, size_bytes: u64) -> Media {
        self.media_at(size_bytes, NOON).await
    }

    pub(crate) async fn media_at(&self, size_bytes: u64, created_at: Time) -> Media {
        let media = new_media(size_bytes, created_at);
        let inserted = self
            .store
            .insert_media(self.workspace, &media, None)
            .await
            .unwrap();
        assert_eq!(inserted, InsertMedia::Inserted);
        media
    }

    /// The root of a post's group, as stored.
    pub(crate) async fn reload(&self, post: PostId) -> Post {
        self.store
            .find_group(self.workspace, post)
            .await
            .unwrap()
            .unwrap()
            .group
            .root
    }

    pub(crate) async fn state(&self, post: PostId) -> PostState {
        self.reload(post).await.state
    }

    pub(crate) async fn posts_used(&self) -> u64 {
        self.store.usage(self.workspace, "2026-11").await.unwrap().posts
    }

    /// The kinds of all events so far, without the account's own.
    pub(crate) async fn events(&self) -> Vec<String> {
        let events = self.store.list_events(self.workspace, None, 1000).await.unwrap();
        let kinds = events.into_iter().map(|event| event.kind);
        // What every test begins with is left out.
        let begun = ["platform.connected", "post.created"];
        kinds.filter(|kind| !begun.contains(&kind.as_str())).collect()
    }
}

pub(crate) fn new_group(platform: PlatformId, queued: bool, scheduled_for: Option<Time>) -> NewGroup {
    NewGroup {
        group_id: new_id::<GroupId>(NOON),
        platform_id: platform,
        queued,
        scheduled_for,
        created_by: None,
        root: new_post("Hello"),
        children: Vec::new(),
    }
}

pub(crate) fn new_post(content: &str) -> NewPost {
    NewPost {
        id: new_id::<PostId>(NOON),
        content: content.to_owned(),
        delay_minutes: None,
        settings: Map::new(),
        media_ids: Vec::new(),
    }
}

/// A submission without a token.
pub(crate) fn new_submission(transfer: Transfer) -> NewSubmission<'static> {
    NewSubmission {
        id: new_id(NOON),
        content: "Hello",
        transfer,
        token_hash: None,
        reason: None,
    }
}

pub(crate) fn new_media(size_bytes: u64, created_at: Time) -> Media {
    let id: MediaId = new_id(created_at);
    Media {
        id,
        storage_key: format!("{id}/original.jpg"),
        preview_key: Some(format!("{id}/preview.webp")),
        mime: MimeType::Jpeg,
        size_bytes: Some(size_bytes),
        received_bytes: None,
        file_name: "photo.jpg".to_owned(),
        status: MediaStatus::Ready,
        probe: None,
        sha256: Some(vec![1; 32]),
        finalized_at: Some(created_at),
        failure: None,
        folder_id: None,
        created_at,
    }
}

pub(crate) async fn new_user(store: &Store) -> UserId {
    let id: UserId = new_id(NOON);
    let user = NewUser {
        id,
        email: format!("{id}@example.org"),
        name: None,
        password_hash: "$argon2id$".to_owned(),
    };
    assert_eq!(store.create_user(user, NOON).await.unwrap(), CreateUser::Created);
    id
}

/// Begins a session for a person who has just proven who they are.
pub(crate) async fn begin_session(store: &Store, session: &NewSession, user: UserId, now: Time) {
    let proven = store.find_user(user).await.unwrap().unwrap();
    assert!(store.create_session(session, &proven, now).await.unwrap());
}

pub(crate) async fn new_workspace(store: &Store, owner: UserId) -> WorkspaceId {
    let workspace = NewWorkspace {
        id: new_id(NOON),
        name: "Studio".to_owned(),
        plan: "unlimited".to_owned(),
        owner: Some(owner),
    };
    store
        .create_workspace(workspace.clone(), OPERATOR, NOON)
        .await
        .unwrap();
    workspace.id
}

/// Who acts where it does not matter who.
pub(crate) const OPERATOR: &Actor = &Actor::operator();

/// The operator's changes, at [`NOON`].
pub(crate) const BY_OPERATOR: Authorship<'static> = Authorship {
    by: OPERATOR,
    at: NOON,
};

pub(crate) async fn connect(store: &Store, workspace: WorkspaceId, account: &str) -> PlatformId {
    match store
        .connect_platform(workspace, &connection(account), OPERATOR, NOON)
        .await
        .unwrap()
    {
        ConnectPlatform::Connected { id, .. } => id,
        refused => panic!("{refused:?}"),
    }
}

/// Notes that an account must be reconnected, because of the tokens that it has; `false` if that was known.
pub(crate) async fn must_reconnect(store: &Store, platform: PlatformId) -> bool {
    let version = store.tokens(platform).await.unwrap().unwrap().version;
    let marked = store.mark_refresh_needed(platform, version, "authorization_removed", NOON);
    marked.await.unwrap()
}

/// An account as its provider describes it, with tokens for a day.
pub(crate) fn connection(account: &str) -> NewConnection {
    NewConnection {
        provider: "tiktok".to_owned(),
        connection: Connection::Creator,
        profile: AccountProfile {
            provider_account_id: account.to_owned(),
            display_name: Some(format!("Name of {account}")),
            display_handle: Some(account.to_owned()),
            display_image_url: None,
            capabilities: Vec::new(),
            metadata: Map::new(),
            unknown: &[],
        },
        tokens: tokens(account),
        default_settings: Map::new(),
        account_limit: None,
        by: None,
    }
}

/// What a provider returns of an account without a handle.
pub(crate) fn options(metadata: &Value) -> AccountOptions {
    AccountOptions {
        metadata: metadata.as_object().unwrap().clone(),
        handle: None,
    }
}

pub(crate) fn tokens(account: &str) -> TokenSet {
    TokenSet {
        provider_account_id: account.to_owned(),
        access: Secret::new("act.first"),
        access_expires_at: NOON.plus(DAY),
        refresh: Some(Secret::new("rft.first")),
        refresh_expires_at: Some(NOON.plus(DAY * 365)),
        scopes: vec!["video.publish".to_owned()],
    }
}

pub(crate) fn hash() -> [u8; 32] {
    random_bytes()
}

pub(crate) fn hashes() -> KeyHashes {
    KeyHashes {
        full: hash(),
        restricted: hash(),
    }
}
