//! The handle on a running simulator.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::http::Method;
use axum::routing::any;
use bytes::Bytes;
use playout_domain::time::{Clock, Time};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::Url;

use super::account::Account;
use super::answer::Answer;
use super::call::Call;
use super::config::SimConfig;
use super::core::Core;
use super::driver::drive;
use super::fault::{Endpoint, FailRule, Fault};
use super::grants::{App, TokenPair};
use super::hold::HoldPoint;
use super::knobs::Knobs;
use super::socket::{Cut, Door};
use super::{control, front, oauth, pages, webhooks};

/// A running simulator. Clones are the same one; it stops when the last is dropped, or by [`Simulator::stop`].
#[derive(Clone)]
pub struct Simulator(Arc<Running>);

struct Running {
    core: Arc<Core>,
    url: String,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl std::fmt::Debug for Simulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Simulator").field(&self.0.url).finish()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.core.cancel.cancel();
    }
}

impl Simulator {
    /// Binds `config.listen` and serves. Fails if the address cannot be bound or there is no temporary folder.
    pub async fn start(config: SimConfig, clock: Arc<dyn Clock>) -> std::io::Result<Self> {
        let listener = TcpListener::bind(config.listen).await?;
        let url = format!("http://{}", listener.local_addr()?);
        let public_url = config
            .public_url
            .as_deref()
            .unwrap_or(&url)
            .trim_end_matches('/')
            .to_owned();
        let (core, todo) = Core::new(config, public_url, clock)?;
        let driver = tokio::spawn(drive(Arc::clone(&core), todo));
        let server = tokio::spawn(run_server(Arc::clone(&core), listener));
        let tasks = Mutex::new(vec![driver, server]);
        Ok(Self(Arc::new(Running { core, url, tasks })))
    }

    /// `http://127.0.0.1:PORT`: API host, login host, upload host, business host and pages in one.
    pub fn url(&self) -> String {
        self.0.url.clone()
    }

    /// Stops serving; completes when the port is free.
    pub async fn stop(&self) {
        self.0.core.cancel.cancel();
        let tasks = std::mem::take(&mut *self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        for task in tasks {
            // A task that was aborted has stopped as well.
            let _ = task.await;
        }
    }

    /// Completes when [`Simulator::stop`] has been called by anyone.
    pub async fn stopped(&self) {
        self.0.core.cancel.cancelled().await;
    }

    /// The provider's present.
    pub fn now(&self) -> Time {
        self.0.core.now()
    }

    /// Sets the provider's clock ahead of the one it was started with, until [`Simulator::reset`]. The signatures of its
    /// webhooks carry its time: a receiver that checks their age against another clock rejects them.
    pub fn advance(&self, by: Duration) {
        self.0.core.advance(by);
    }

    /// Completes when nothing is due, downloading or being delivered.
    pub async fn idle(&self) {
        self.0.core.idle().await;
    }

    /// Forgets everything but its configuration, and sets its clock back.
    pub fn reset(&self) {
        self.0.core.reset();
    }

    /// Adds an account, or replaces the one with its open_id, and returns the open_id.
    pub fn add_account(&self, account: Account) -> String {
        let account = account.complete();
        let open_id = account.open_id.clone();
        self.0.core.with(|world| world.put_account(account));
        open_id
    }

    /// Changes an account's flags; nothing happens if there is none.
    pub fn change_account(&self, open_id: &str, change: impl FnOnce(&mut Account)) {
        self.0.core.with(|world| world.account_mut(open_id).map(change));
    }

    /// What requests and driver share.
    pub(super) fn core(&self) -> &Core {
        &self.0.core
    }

    /// The current knobs.
    pub fn knobs(&self) -> Knobs {
        self.0.core.with(|world| world.knobs.clone())
    }

    /// Turns knobs.
    pub fn turn(&self, change: impl FnOnce(&mut Knobs)) {
        self.0.core.with(|world| {
            let mut knobs = world.knobs.clone();
            change(&mut knobs);
            world.turn(knobs);
        });
    }

    /// Lets `fault` affect the next matching requests.
    pub fn inject(&self, fault: Fault) {
        self.0.core.with(|world| world.faults.push(fault));
    }

    /// Injected faults that have not been used up yet.
    pub fn pending_faults(&self) -> Vec<Fault> {
        self.0.core.with(|world| world.faults.clone())
    }

    /// Lets posts that match `rule` end as FAILED.
    pub fn fail(&self, rule: FailRule) {
        self.0.core.with(|world| world.fates.push(rule));
    }

    /// Lets requests to `endpoint` wait until [`Simulator::release`].
    pub fn hold(&self, endpoint: Endpoint, point: HoldPoint) {
        self.0.core.holds.close(endpoint, point);
    }

    /// Lets held requests to `endpoint` go on.
    pub fn release(&self, endpoint: Endpoint) {
        self.0.core.holds.open(endpoint);
    }

    /// Completes as soon as exactly `count` requests are held at `endpoint`; the same endpoint as in [`Simulator::hold`].
    pub async fn held(&self, endpoint: Endpoint, count: usize) {
        self.0.core.holds.reached(endpoint, count).await;
    }

    /// Tokens for an account, without the consent page.
    pub fn grant(&self, open_id: &str, scopes: &[&str]) -> TokenPair {
        let scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        self.0
            .core
            .with(|world| world.issue(App::Creator, open_id, scopes))
    }

    /// The same for the business app; the pair names the account as that app sees it.
    pub fn grant_business(&self, open_id: &str, scopes: &[&str]) -> TokenPair {
        let scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        self.0
            .core
            .with(|world| world.issue(App::Business, open_id, scopes))
    }

    /// Approves an authorization URL as the account `name`, granting `scopes` (empty: all that were asked for).
    /// The address that the browser would be sent to; `None` if the provider shows a page instead.
    pub fn approve(&self, authorization_url: &str, name: &str, scopes: &[&str]) -> Option<String> {
        let account = name;
        self.decide(authorization_url, Decision::Approve { account, scopes })
    }

    /// Denies an authorization URL. The address that the browser would be sent to.
    pub fn deny(&self, authorization_url: &str) -> Option<String> {
        self.decide(authorization_url, Decision::Deny)
    }

    fn decide(&self, url: &str, decision: Decision<'_>) -> Option<String> {
        let url = Url::parse(url).ok()?;
        let (account, word, scopes) = match decision {
            Decision::Approve { account, scopes } => (account, "approve", scopes),
            Decision::Deny => ("", "deny", &[][..]),
        };
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("account", account).append_pair("decision", word);
        form.extend_pairs(scopes.iter().map(|scope| ("granted", *scope)));
        let uri = format!("{}?{}", url.path(), url.query().unwrap_or(""))
            .parse()
            .ok()?;
        let call = Call::new(
            Method::POST,
            uri,
            axum::http::HeaderMap::new(),
            Bytes::from(form.finish()),
        );
        match self.0.core.with(|world| oauth::authorize(world, &call)) {
            Answer::Redirect(to) if call.endpoint == Some(Endpoint::Authorize) => Some(to),
            _ => None,
        }
    }

    /// The account revokes its grant: tokens become invalid, transfers fail, the app is notified. `reason` as in the webhook
    /// (1: the user).
    pub fn disconnect(&self, open_id: &str, reason: u8) {
        self.0.core.with(|world| world.disconnect(open_id, reason));
    }

    /// The account revokes what it granted the business app: its tokens become invalid, its transfers fail. No event is sent.
    pub fn disconnect_business(&self, open_id: &str) {
        self.0.core.with(|world| world.disconnect_business(open_id));
    }

    /// The account's access tokens are expired from now on; refreshing still works.
    pub fn expire_access_token(&self, open_id: &str) {
        self.0
            .core
            .with(|world| world.grants.expire_access(open_id, world.now));
    }

    /// Sends the app an event that did not happen, such as `tiktok.ping`; signed and retried like any other.
    pub fn send_event(&self, open_id: &str, event: &str, content: &serde_json::Value) {
        self.0.core.with(|world| world.emit(open_id, event, content));
    }

    /// The value of `TikTok-Signature` that the provider would give a body at that time: for notifications by hand.
    pub fn sign(&self, body: &str, at: Time) -> String {
        self.0
            .core
            .with(|world| webhooks::signature(&world.client_secret, at, body))
    }

    /// The same for an app with that secret.
    pub fn sign_with(secret: &str, body: &str, at: Time) -> String {
        webhooks::signature(secret, at, body)
    }

    /// The creator has posted so many videos in the provider's own app, one a second until now: copies of the account's last post,
    /// with other captions.
    pub fn creator_has_posted(&self, open_id: &str, count: u32) {
        self.0.core.with(|world| world.creator_has_posted(open_id, count));
    }

    /// The creator posts a draft from the inbox, with this caption (`None`: the app's) and privacy. False if none waits.
    pub fn finish_draft(&self, publish_id: &str, caption: Option<&str>, privacy_level: &str) -> bool {
        self.0
            .core
            .with(|world| world.finish_draft(publish_id, caption, privacy_level))
    }
}

/// What a person answers at an authorization page.
enum Decision<'a> {
    /// The account, and what it grants (empty: all that was asked for).
    Approve {
        account: &'a str,
        scopes: &'a [&'a str],
    },
    Deny,
}

async fn run_server(core: Arc<Core>, listener: TcpListener) {
    let stop = core.cancel.clone();
    let service = routes()
        .with_state(core)
        .into_make_service_with_connect_info::<Cut>();
    let server = axum::serve(Door(listener), service);
    tokio::select! {
        () = stop.cancelled() => {}
        result = server => drop(result),
    }
}

/// The provider's endpoints go before the pages, whose addresses have variable parts.
fn routes() -> Router<Arc<Core>> {
    Router::new()
        .route("/upload", any(front::serve))
        .route("/v2/{*rest}", any(front::serve))
        .route("/open_api/{*rest}", any(front::serve))
        .merge(control::router())
        .merge(pages::router())
        .method_not_allowed_fallback(front::serve)
        .fallback(front::serve)
}
