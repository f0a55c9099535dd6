//! The injected world: what `main` and every test put together with [`App::new`], and nothing else.
//!
//! What [`App`] holds is in modules that do not import it; use cases, which take it, are in others.

pub mod account;
mod activity;
pub mod batches;
pub mod bundle;
mod calls;
pub mod connect;
pub mod decoding;
pub mod deliveries;
pub mod devices;
pub mod error;
pub mod event_log;
pub mod expected;
pub mod file_keys;
pub mod foresight;
pub mod forgotten;
pub mod gate;
pub mod grants;
pub mod imports;
pub mod invitations;
pub mod keys;
pub mod known_devices;
pub mod library;
pub mod limits;
mod mail_notices;
pub mod me;
pub mod media;
pub mod once;
mod opaque_token;
pub mod organizations;
mod password_hashes;
pub mod passwords;
pub mod payloads;
pub mod photos;
pub mod platform_health;
pub mod platforms;
pub mod posts;
pub mod rates;
pub mod refusals;
pub mod reservations;
mod searches;
pub mod second_factor;
pub mod sessions;
pub mod signed_in;
pub mod slides;
pub mod streams;
pub mod throttle;
pub mod tokens;
mod turns;
pub mod unnamed_files;
pub mod uploads;
pub mod usage;
pub mod verification;
pub mod webhooks;
pub mod whence;
pub mod writers;

pub use error::AppError;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use playout_domain::error::Refusal;
use playout_domain::platform::{Connection, Platform, ProviderConnection};
use playout_domain::provider::Provider;
use playout_domain::time::{Clock, Time};
use playout_domain::workspace::Plan;
use playout_media::{Blobs, Inspector, Poster};
use playout_store::Store;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::concurrency::{slots, starts};
use crate::config::Config;
use crate::egress::Egress;
use crate::heart::Heart;
use crate::identity::Identity;
use crate::llm::LanguageModel;
use crate::node::Node;
use crate::plans::Plans;
use crate::tally::Tally;
use crate::web::Web;

/// The parts the world is made of.
pub struct Parts {
    /// All SQL.
    pub store: Store,
    /// All bytes.
    pub blobs: Blobs,
    /// The present.
    pub clock: Arc<dyn Clock>,
    /// The connections of providers that are configured, in the order in which they are offered.
    pub providers: Vec<Arc<dyn Provider>>,
    /// The language model that writes captions, if one is configured.
    pub model: Option<LanguageModel>,
    /// The dashboard, if it was built and is wanted.
    pub web: Option<Web>,
    /// The tool that draws the posters of videos, if it is installed.
    pub poster: Option<Poster>,
    /// The identity of this process among the nodes.
    pub node: Node,
}

/// The world: an `Arc` of concrete parts.
pub struct App {
    /// All SQL.
    pub store: Store,
    /// All bytes.
    pub blobs: Blobs,
    /// The present.
    pub clock: Arc<dyn Clock>,
    /// Every setting.
    pub config: Config,
    /// Looks into files.
    pub inspector: Arc<Inspector>,
    /// The identity of this process among the nodes.
    pub node: Node,
    /// When it began.
    pub started_at: Time,
    /// The memory and the cores that decoding may take.
    pub decoding: decoding::Decoding,
    /// Whether this process belongs to its database.
    pub identity: Identity,
    /// Whether the engine of this process is alive.
    pub heart: Heart,
    /// Wakes the part of the engine that fetches files to import.
    pub importing: Notify,
    /// The imports whose addresses are asked again later.
    pub import_waits: imports::Waits,
    /// Wakes the part of the engine that revokes access at providers.
    pub revoking: Notify,
    /// The way out to webhooks.
    pub egress: Egress,
    /// Which requests of this process write to which uploads.
    pub uploads: Arc<uploads::locks::Locks>,
    /// Cancelled when this process stops taking requests: ends the event streams, which have no end of their own.
    pub closing: CancellationToken,
    /// Cancelled when this node is to get no more requests, although it still answers them.
    pub leaving: CancellationToken,
    /// The language model that writes captions, if one is configured.
    pub model: Option<LanguageModel>,
    /// The dashboard, if it was built and is wanted.
    pub web: Option<Web>,
    /// Which requests change something, by workspace.
    pub writers: Arc<writers::Writers>,
    /// The memory of large bodies and answers under way.
    pub payloads: Arc<payloads::Payloads>,
    /// Where slides are drawn.
    pub press: slides::press::Press,
    /// Which posts this process is about to hand over.
    pub beginnings: limits::beginnings::Beginnings,
    /// Which of them are due and not handed over yet.
    pub starts: starts::Starts,
    /// What the engine runs.
    pub slots: slots::Slots,
    /// Notifications in a provider's name that the provider did not sign.
    pub forged_notifications: Tally,
    providers: Vec<Arc<dyn Provider>>,
    refreshing: Mutex<HashMap<Uuid, Arc<tokio::sync::Mutex<()>>>>,
    keys: keys::cache::KeyCache,
    pub(crate) prepared: photos::prepared::Prepared,
    making: photos::making::Making,
    preparations: photos::preparations::Preparations,
    unfinished: media::unfinished::Unfinished,
    rates: rates::Rates<rates::Counted>,
    passwords: passwords::Passwords,
    searches: Arc<searches::Searches>,
    throttle: throttle::buckets::Throttle,
    asked: platform_health::asked::Asked,
    /// The open streams of events.
    pub streams: streams::open::Streams,
}

impl App {
    /// Puts the world together.
    pub fn new(config: Config, parts: Parts) -> Arc<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        parts
            .store
            .show_with(webhooks::shown::show(&config, &parts.providers));
        Arc::new(Self {
            writers: writers::Writers::new(parts.store.is_postgres().then_some(config.database_pool)),
            payloads: Arc::default(),
            store: parts.store,
            blobs: parts.blobs,
            started_at: parts.clock.now(),
            clock: parts.clock,
            inspector: Arc::new(Inspector::new(parts.poster)),
            node: parts.node,
            decoding: decoding::Decoding::new(cores),
            identity: Identity::default(),
            heart: Heart::default(),
            importing: Notify::new(),
            import_waits: imports::Waits::default(),
            revoking: Notify::new(),
            egress: Egress::new(config.egress_allow.clone()),
            uploads: Arc::default(),
            closing: CancellationToken::new(),
            leaving: CancellationToken::new(),
            model: parts.model,
            web: parts.web,
            press: slides::press::Press::new(cores),
            beginnings: limits::beginnings::Beginnings::default(),
            starts: starts::Starts::default(),
            slots: slots::Slots::new(config.worker_concurrency),
            forged_notifications: Tally::default(),
            providers: parts.providers,
            refreshing: Mutex::default(),
            keys: keys::cache::KeyCache::default(),
            prepared: photos::prepared::Prepared::default(),
            making: photos::making::Making::default(),
            preparations: photos::preparations::Preparations::default(),
            unfinished: media::unfinished::Unfinished::default(),
            rates: rates::Rates::of("calls"),
            passwords: passwords::Passwords::default(),
            searches: Arc::default(),
            throttle: throttle::buckets::Throttle::default(),
            asked: platform_health::asked::Asked::default(),
            streams: streams::open::Streams::default(),
            config,
        })
    }

    /// The present.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// The limits of the plan of that name, or of the default plan where there is none of that name.
    pub(crate) fn plan_of(&self, name: &str) -> &Plan {
        let plans = &self.config.plans;
        plans
            .find(name)
            .or_else(|| plans.find(&self.config.default_plan))
            .unwrap_or(Plans::none())
    }

    /// The public address under which storage keys are served.
    pub fn media_url(&self) -> String {
        format!("{}/media", self.config.base_url)
    }

    /// That connection of the provider of that identifier, if it is configured.
    pub fn provider(&self, id: &str, connection: Connection) -> Option<&Arc<dyn Provider>> {
        self.providers()
            .find(|provider| provider.id() == id && provider.connection() == connection)
    }

    /// The provider of an account, by the connection it has, if it is configured.
    pub fn provider_of<S>(&self, platform: &Platform<S>) -> Option<&Arc<dyn Provider>> {
        self.provider(&platform.provider, platform.connection)
    }

    /// [`App::provider_of`] for work on an account.
    ///
    /// # Errors
    /// [`AppError::NoApp`] where it is not configured: the work fails inside, and is not given up because of this node.
    pub fn configured_provider_of(&self, platform: &Platform) -> Result<&Arc<dyn Provider>, AppError> {
        self.provider_of(platform).ok_or_else(|| AppError::NoApp {
            provider: platform.provider.clone(),
            connection: platform.connection,
        })
    }

    /// [`App::provider`] for a request.
    ///
    /// # Errors
    /// `PROVIDER_NOT_CONFIGURED` where it is not configured.
    pub(crate) fn requested_provider(
        &self,
        wanted: ProviderConnection<'_>,
    ) -> Result<&Arc<dyn Provider>, Refusal> {
        self.provider(wanted.provider, wanted.connection)
            .ok_or_else(refusals::provider_not_configured)
    }

    /// The connections of all providers that are configured, in the order in which they are offered.
    pub fn providers(&self) -> impl Iterator<Item = &Arc<dyn Provider>> {
        self.providers.iter()
    }

    /// Fails here if this is the point that a test asked for: dies without any clean-up, or panics after `NAME=panic`.
    /// `docs/failpoints.md` lists the points. Builds without the feature `failpoints` have none.
    pub fn failpoint(&self, point: &'static str) {
        if !cfg!(feature = "failpoints") {
            return;
        }
        let Some(wanted) = self.config.failpoint.as_deref() else {
            return;
        };
        let panics = wanted.strip_suffix("=panic") == Some(point);
        assert!(!panics, "failpoint {point}");
        if wanted == point {
            let pid = std::process::id().to_string();
            let killed = std::process::Command::new("kill").args(["-9", &pid]).status();
            tracing::error!("failpoint {point}: kill answered {killed:?}");
            std::process::abort();
        }
    }

    /// The lock that lets one task at a time refresh an account's tokens on this node.
    fn refresh_lock(&self, platform: Uuid) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self
            .refreshing
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        Arc::clone(locks.entry(platform).or_default())
    }
}
