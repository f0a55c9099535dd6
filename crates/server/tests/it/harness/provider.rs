//! Queries of the simulated provider for tests, and the accounts that they need there.

use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::platform::{Connection, ProviderConnection};
use playout_domain::provider::TokenSet;
use playout_domain::secret::Secret;
use playout_domain::time::Clock;
use playout_server::app::expected::Expected;
use playout_store::{ConnectPlatform, NewConnection, PlatformChanges};
use playout_tiktok::sim::{Account, Endpoint, JournalEntry, Publication};
use serde_json::{Map, Value};

use super::opening::create_workspace;
use super::{Client, TestApp};

/// The connection that most tests are about.
pub(crate) const TIKTOK: ProviderConnection<'static> = ProviderConnection {
    provider: "tiktok",
    connection: Connection::Creator,
};

/// The ways in which a post is handed over.
const INITS: [Endpoint; 5] = [
    Endpoint::VideoInit,
    Endpoint::InboxInit,
    Endpoint::ContentInit,
    Endpoint::BusinessVideo,
    Endpoint::BusinessPhoto,
];

impl TestApp {
    /// The open_id of an account of the simulator.
    pub(crate) fn open_id(&self, username: &str) -> String {
        self.sim
            .account(username)
            .expect("an account of the simulator")
            .account
            .open_id
    }

    /// A new public account at the provider, connected here; returns the platform's ID.
    pub(crate) async fn join(&self, username: &str) -> String {
        self.sim.add_account(Account::new(username));
        self.connect(username).await
    }

    /// Requests to `endpoint` so far, in order.
    pub(crate) fn calls(&self, endpoint: Endpoint) -> Vec<JournalEntry> {
        let journal = self.sim.journal().into_iter();
        journal.filter(|call| call.endpoint == Some(endpoint)).collect()
    }

    /// How often a post of that account was handed over, or should have been.
    pub(crate) fn handovers_of(&self, username: &str) -> usize {
        let open_id = Some(self.open_id(username));
        let is_init = |call: &JournalEntry| call.endpoint.is_some_and(|endpoint| INITS.contains(&endpoint));
        self.sim
            .journal()
            .iter()
            .filter(|call| call.account == open_id && is_init(call))
            .count()
    }

    /// What really went out on that account.
    pub(crate) fn publications_of(&self, username: &str) -> Vec<Publication> {
        let open_id = self.open_id(username);
        self.sim
            .publications()
            .into_iter()
            .filter(|post| post.open_id == open_id)
            .collect()
    }

    /// What went out of a post, whose root the API shows as `root`. Nothing else did, on any account.
    #[track_caller]
    pub(crate) fn only_publication(&self, root: &Value) -> Publication {
        let mut out = self.sim.publications();
        assert_eq!(
            (root["state"].as_str(), out.len()),
            (Some("PUBLISHED"), 1),
            "{root:#}"
        );
        let only = out.remove(0);
        assert_eq!(root["releaseId"], only.post_id.as_str());
        only
    }

    /// Whether an account is among those that can be posted to.
    pub(crate) async fn is_ready(&self, platform: &str) -> bool {
        let list = self.api.get("/public/v1/platforms").await.ok();
        list["platforms"]
            .as_array()
            .unwrap()
            .iter()
            .any(|ready| ready["id"] == platform)
    }

    /// Another workspace that connects an account too; its client and the platform's ID there.
    pub(crate) async fn stranger_with(&self, username: &str) -> (Client, String) {
        self.stranger_on(None, username).await
    }

    /// The same, on a plan.
    pub(crate) async fn stranger_on(&self, plan: Option<&str>, username: &str) -> (Client, String) {
        let workspace = create_workspace(&self.app, plan).await;
        let key = self
            .app
            .create_key(workspace.id, "stranger", None, None)
            .await
            .unwrap()
            .key;
        let api = Client::new(&self.app.config.base_url, Some(key));
        let url = self.app.start_connecting(workspace.id, TIKTOK).await.unwrap();
        let back = self
            .sim
            .approve(&url, username, &[])
            .expect("the provider shows an error page");
        let to = api.follow(&back).await.header("location").to_owned();
        let (_, id) = to
            .split_once("connected=")
            .unwrap_or_else(|| panic!("connecting led to {to}"));
        (api, id.to_owned())
    }

    /// An account that is connected with a grant of just these scopes, which the consent page may not offer, or which are
    /// no longer enough to connect.
    pub(crate) async fn connect_granted(&self, username: &str, scopes: &[&str]) -> String {
        let pair = self.sim.grant(&self.open_id(username), scopes);
        let ends = |seconds| self.now().plus(Duration::from_secs(seconds));
        let tokens = TokenSet {
            provider_account_id: pair.open_id,
            access: Secret::new(pair.access_token),
            access_expires_at: ends(pair.expires_in),
            refresh: Some(Secret::new(pair.refresh_token)),
            refresh_expires_at: Some(ends(pair.refresh_expires_in)),
            scopes: pair.scope.split(',').map(str::to_owned).collect(),
        };
        let profile = self
            .app
            .provider("tiktok", Connection::Creator)
            .unwrap()
            .profile(&tokens)
            .await
            .unwrap();
        let connection = NewConnection {
            provider: "tiktok".to_owned(),
            connection: Connection::Creator,
            profile,
            tokens,
            default_settings: Map::new(),
            account_limit: None,
            by: None,
        };
        let now = self.clock.now();
        match self
            .app
            .store
            .connect_platform(self.workspace.id, &connection, &Actor::operator(), now)
            .await
            .unwrap()
        {
            ConnectPlatform::Connected { id, .. } => id.to_string(),
            refused => panic!("{refused:?}"),
        }
    }

    /// Changes an account of the test's workspace, as the operator might.
    pub(crate) async fn change_account(&self, platform: &str, changes: PlatformChanges) {
        let (workspace, id) = (self.workspace.id, platform.parse().unwrap());
        let operator = Actor::operator();
        let changed = self
            .app
            .store
            .update_platform(workspace, id, &changes, &operator, self.now());
        changed.await.unwrap().expect("the account is there");
    }

    /// Removes an account of the test's workspace, as the operator might.
    pub(crate) async fn remove_account(&self, platform: &str) {
        let (workspace, id) = (self.workspace.id, platform.parse().unwrap());
        let operator = Actor::operator();
        let removed = self.app.remove_platform(workspace, id, &operator, &Expected::Any);
        removed.await.unwrap();
    }

    /// A post's whole group, as the API shows it.
    pub(crate) async fn group(&self, post: &str) -> Value {
        self.api.get(&format!("/public/v1/posts/{post}")).await.ok()
    }

    /// Lets time pass from one due job to the next until `until` holds of a post's group, for three days at most.
    pub(crate) async fn group_until(&self, post: &str, until: impl Fn(&Value) -> bool) -> Value {
        let end = self.now().plus(Duration::from_secs(3 * 86_400));
        loop {
            self.idle().await;
            let group = self.group(post).await;
            if until(&group) {
                return group;
            }
            let next = self.app.store.next_run_at().await.unwrap();
            let next = next.unwrap_or_else(|| panic!("no job is left, and the group is {group:#}"));
            assert!(next <= end, "three days on, the group is still {group:#}");
            self.clock.set(next);
        }
    }

    /// Lets time pass from one due job to the next until `until` holds of the world, for three days at most.
    pub(crate) async fn pass_until(&self, until: impl Fn(&Self) -> bool) {
        let end = self.now().plus(Duration::from_secs(3 * 86_400));
        loop {
            self.idle().await;
            if until(self) {
                return;
            }
            let next = self
                .app
                .store
                .next_run_at()
                .await
                .unwrap()
                .expect("a job that is left");
            assert!(next <= end, "three days on, and it still does not hold");
            self.clock.set(next);
        }
    }
}
