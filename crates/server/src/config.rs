//! The settings of a running service, typed: made from the texts that `settings.rs` finds.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ipnet::IpNet;
use playout_domain::rate::Rate;
use playout_domain::secret::Secret;
use playout_media::BucketOptions;
use playout_tiktok::{BusinessApp, TikTokConfig, TransferChoice};
use tracing_subscriber::EnvFilter;
use url::Url;

use crate::mail::Mailer;
use crate::plans::Plans;
use crate::settings::{ConfigError, SETTINGS, Sources};

/// The settings of a running service.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address and port to listen on.
    pub listen: SocketAddr,
    /// Public address, without a trailing slash.
    pub base_url: String,
    /// SQLite file, media, generated secret.
    pub data_dir: PathBuf,
    /// `sqlite://…` or `postgres://…`.
    pub database_url: Secret,
    /// How many connections to PostgreSQL there are for requests and posts.
    pub database_pool: u32,
    /// `file://…` or `s3://…`.
    pub storage_url: String,
    /// How a bucket is reached.
    pub bucket: BucketOptions,
    /// Keys of the vault; the first encrypts. Empty: generated into the data directory.
    pub secret_keys: SecretKeys,
    /// The TikTok apps, if there is one: of creators, of businesses, or both.
    pub tiktok: Option<TikTokConfig>,
    /// What each plan allows.
    pub plans: Plans,
    /// The plan of a new workspace.
    pub default_plan: String,
    /// How often each key may call, unless its plan sets another rate; `None`: no key is limited.
    pub rate_limit: Option<Rate>,
    /// How often each person may call in their sessions; `None`: as often as they like.
    pub session_rate_limit: Option<Rate>,
    /// Who may sign up; `None`: the first user, then those with an invitation, unless the database has another mode.
    pub signup: Option<SignUpMode>,
    /// How many workspaces one person may own.
    pub workspaces_per_user: u32,
    /// Whether the dashboard is served; the plain pages are in any case.
    pub dashboard: bool,
    /// How often each network address may call what needs no authentication; `None`: no limit.
    pub address_rate_limit: Option<Rate>,
    /// Whose `X-Forwarded-For` counts.
    pub trusted_proxies: Vec<IpNet>,
    /// Connections in all, unless descriptors allow fewer.
    pub max_connections: usize,
    /// Connections of one client address.
    pub connections_per_address: usize,
    /// Whose connections are not counted by address.
    pub connections_exempt: Vec<IpNet>,
    /// Where outgoing webhooks may go although it is private.
    pub egress_allow: Vec<IpNet>,
    /// How mails go out.
    pub mailer: Mailer,
    /// Whether inviting people and authorizing programs need a verified address.
    pub require_verified_email: bool,
    /// Directives for the log.
    pub log: String,
    /// Whether log lines are JSON.
    pub log_json: bool,
    /// The size of each queue's budget (`concurrency/slots.rs`).
    pub worker_concurrency: usize,
    /// How long a claimed job is its process's own unless renewed.
    pub worker_lease: Duration,
    /// How long requests are still answered after SIGTERM, where other nodes may answer the next ones.
    pub drain: Duration,
    /// How long a provider may take before it comes to fetch a video that could be uploaded.
    pub pull_patience: Duration,
    /// How long after the search of a hold a post that was not found waits (`worker/hold.rs`).
    pub restore_patience: Duration,
    /// How long the provider may be at work on a submission that it shows nothing of.
    pub provider_patience: Duration,
    /// AI credits that a composed slide costs.
    pub composite_credits: u32,
    /// The language model that writes captions, if one is configured.
    pub llm: Option<LlmConfig>,
    /// Where to die, for crash tests.
    pub failpoint: Option<String>,
}

impl Config {
    /// Reads all settings from `sources`.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        let read = Reader { sources };
        let data_dir =
            std::path::absolute(read.text("data_dir")).map_err(|error| read.problem("data_dir", error))?;
        let data = data_dir.to_string_lossy();
        let plans = read.plans()?;
        let default_plan = read.text("default_plan");
        if plans.find(&default_plan).is_none() {
            return Err(read.problem("default_plan", "no such plan"));
        }
        Ok(Self {
            listen: read.parse("listen")?,
            base_url: read.origin("base_url")?,
            database_url: Secret::new(read.text("database_url").replace("{data}", &data)),
            database_pool: read.parse::<std::num::NonZeroU32>("database_pool")?.get(),
            storage_url: read.text("storage_url").replace("{data}", &in_url(&data)),
            bucket: BucketOptions {
                variables: sources.aws.clone().into_iter().collect(),
                scratch: data_dir.clone(),
            },
            secret_keys: read.secret_keys()?,
            tiktok: read.tiktok()?,
            plans,
            default_plan,
            rate_limit: read.rate_limit("rate_limit")?,
            session_rate_limit: read.session_rate_limit()?,
            signup: read.choice_if_set("signup", &SignUpMode::WORDS)?,
            workspaces_per_user: read.parse::<std::num::NonZeroU32>("workspaces_per_user")?.get(),
            dashboard: read.choice("dashboard", &[("on", true), ("off", false)])?,
            address_rate_limit: read.rate_limit("address_rate_limit")?,
            mailer: read.mailer()?,
            require_verified_email: read.require_verified_email()?,
            trusted_proxies: read.networks("trusted_proxies")?,
            max_connections: read.parse::<NonZeroUsize>("max_connections")?.get(),
            connections_per_address: read.parse::<NonZeroUsize>("connections_per_address")?.get(),
            connections_exempt: read.connections_exempt()?,
            egress_allow: read.networks("egress_allow")?,
            log: read.log()?,
            log_json: read.choice("log_format", &[("text", false), ("json", true)])?,
            worker_concurrency: read.parse::<NonZeroUsize>("worker_concurrency")?.get(),
            worker_lease: read.seconds("worker_lease_seconds")?,
            drain: Duration::from_secs(read.parse::<u32>("drain_seconds")?.into()),
            pull_patience: read.seconds("pull_patience_seconds")?,
            restore_patience: read.seconds("restore_patience_seconds")?,
            provider_patience: read.seconds("provider_patience_seconds")?,
            composite_credits: read.parse("composite_credits")?,
            llm: read.llm()?,
            failpoint: read.failpoint()?,
            data_dir,
        })
    }

    /// Every setting and its value as found, secrets masked: what `playoutd check` prints.
    pub fn describe(sources: &Sources) -> Vec<(&'static str, String, &'static str)> {
        SETTINGS
            .iter()
            .map(|setting| {
                let (value, origin) = sources.find(setting);
                let masked = if setting.kind.is_secret() && !value.is_empty() {
                    "********".to_owned()
                } else {
                    mask_password(value)
                };
                (setting.name, masked, origin)
            })
            .collect()
    }
}

/// A language model behind an OpenAI-compatible endpoint.
#[derive(Debug, Clone)]
pub struct LlmConfig {
    /// What the paths of the API are appended to.
    pub url: Url,
    /// The key, if it wants one.
    pub api_key: Option<Secret>,
    /// The model.
    pub model: String,
    /// How long captions may take.
    pub timeout: Duration,
}

/// Who may sign up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignUpMode {
    /// Anyone may sign up.
    Open,
    /// Those with an invitation.
    Invite,
    /// No one may sign up.
    Closed,
}

impl SignUpMode {
    const WORDS: [(&str, Self); 3] = [
        ("open", Self::Open),
        ("invite", Self::Invite),
        ("closed", Self::Closed),
    ];

    /// The value of the setting.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Invite => "invite",
            Self::Closed => "closed",
        }
    }
}

/// Keys of the vault, blank in `Debug`.
#[derive(Clone)]
pub struct SecretKeys(pub Vec<[u8; 32]>);

impl std::fmt::Debug for SecretKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{} secret keys>", self.0.len())
    }
}

/// Whether an address is one that only this machine reaches: `localhost`, a name below it, 127.0.0.0/8 or `::1`.
pub fn is_loopback(base_url: &str) -> bool {
    let Ok(url) = Url::parse(base_url) else {
        return false;
    };
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// A path as it stands in a URL: the characters that would end or change it are escaped.
fn in_url(path: &str) -> String {
    path.replace('%', "%25").replace('#', "%23").replace('?', "%3F")
}

/// Hides the password of a URL such as a PostgreSQL address.
pub(crate) fn mask_password(value: String) -> String {
    match Url::parse(&value) {
        Ok(mut url) if url.password().is_some() => match url.set_password(Some("********")) {
            Ok(()) => url.to_string(),
            Err(()) => "********".to_owned(),
        },
        _ => value,
    }
}

struct Reader<'a> {
    sources: &'a Sources,
}

impl Reader<'_> {
    fn find(&self, name: &str) -> (String, &'static str) {
        let setting = SETTINGS.iter().find(|setting| setting.name == name);
        setting.map_or_else(Default::default, |setting| self.sources.find(setting))
    }

    fn text(&self, name: &str) -> String {
        self.find(name).0
    }

    fn problem(&self, name: &str, problem: impl ToString) -> ConfigError {
        ConfigError {
            name: name.to_owned(),
            problem: problem.to_string(),
            origin: self.find(name).1.to_owned(),
        }
    }

    /// Refused by a program that has no failpoints: a test that uses one would test nothing.
    fn failpoint(&self) -> Result<Option<String>, ConfigError> {
        let name = Some(self.text("failpoint")).filter(|name| !name.is_empty());
        if name.is_some() && !cfg!(feature = "failpoints") {
            return Err(self.problem(
                "failpoint",
                "this program was built without the feature `failpoints`",
            ));
        }
        Ok(name)
    }

    fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(&self, name: &str) -> Result<T, ConfigError> {
        self.text(name)
            .trim()
            .parse()
            .map_err(|error: T::Err| self.problem(name, error))
    }

    /// A whole number of seconds, at least one.
    fn seconds(&self, name: &str) -> Result<Duration, ConfigError> {
        let seconds: std::num::NonZeroU32 = self.parse(name)?;
        Ok(Duration::from_secs(seconds.get().into()))
    }

    fn choice_if_set<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, ConfigError> {
        match self.text(name).is_empty() {
            true => Ok(None),
            false => self.choice(name, words).map(Some),
        }
    }

    fn choice<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T, ConfigError> {
        let text = self.text(name);
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let found = words
            .iter()
            .find(|(word, _)| *word == text)
            .map(|(_, meaning)| *meaning);
        found.ok_or_else(|| self.problem(name, format!("must be one of {}", known.join(", "))))
    }

    fn url(&self, name: &str) -> Result<Url, ConfigError> {
        let url: Url = self.parse(name)?;
        match (url.scheme(), url.host()) {
            ("http" | "https", Some(_)) => Ok(url),
            _ => Err(self.problem(name, "must be an http or https address")),
        }
    }

    fn origin(&self, name: &str) -> Result<String, ConfigError> {
        Ok(self.url(name)?.as_str().trim_end_matches('/').to_owned())
    }

    fn rate_limit(&self, name: &str) -> Result<Option<Rate>, ConfigError> {
        match self.text(name).trim() {
            "off" => Ok(None),
            _ => self.parse(name).map(Some),
        }
    }

    /// `off` for keys is `off` for sessions too.
    fn session_rate_limit(&self) -> Result<Option<Rate>, ConfigError> {
        let sessions = self.rate_limit("session_rate_limit")?;
        Ok(self.rate_limit("rate_limit")?.and(sessions))
    }

    /// Networks, separated by commas; an address stands for itself.
    fn networks(&self, name: &str) -> Result<Vec<IpNet>, ConfigError> {
        let text = self.text(name);
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let network = |part: &str| {
            let network = part.parse::<IpNet>().ok();
            network.or_else(|| part.parse::<IpAddr>().ok().map(IpNet::from))
        };
        parts
            .map(|part| network(part).ok_or_else(|| self.problem(name, format!("{part} is no network"))))
            .collect()
    }

    /// Unset: loopback and the trusted proxies, behind which many clients share an address.
    fn connections_exempt(&self) -> Result<Vec<IpNet>, ConfigError> {
        match self.text("connections_exempt").trim() {
            "none" => Ok(Vec::new()),
            "" => {
                let loopback = ["127.0.0.0/8", "::1/128"].map(str::parse::<IpNet>);
                let trusted = self.networks("trusted_proxies")?;
                Ok(loopback.into_iter().flatten().chain(trusted).collect())
            }
            _ => self.networks("connections_exempt"),
        }
    }

    /// The address of the mail server may hold its password, so it is not repeated.
    fn mailer(&self) -> Result<Mailer, ConfigError> {
        let url = self.text("smtp_url");
        if url.is_empty() {
            return Ok(Mailer::Log);
        }
        let mut from = self.text("mail_from");
        if from.is_empty() {
            let host = self.url("base_url")?.host_str().unwrap_or_default().to_owned();
            from = format!("Playout <playout@{host}>");
        }
        let from = from.parse();
        let from =
            from.map_err(|_| self.problem("mail_from", "must be an address, where smtp_url is set"))?;
        let mailer = Mailer::smtp(&url, from);
        mailer.ok_or_else(|| self.problem("smtp_url", "must be an smtp:// or smtps:// address"))
    }

    /// Without a mail server no address can be verified.
    fn require_verified_email(&self) -> Result<bool, ConfigError> {
        let words = [("auto", None), ("on", Some(true)), ("off", Some(false))];
        let sends_mail = !self.text("smtp_url").is_empty();
        match self.choice("require_verified_email", &words)? {
            Some(true) if !sends_mail => Err(self.problem("require_verified_email", "needs smtp_url")),
            wanted => Ok(wanted.unwrap_or(sends_mail)),
        }
    }

    fn llm(&self) -> Result<Option<LlmConfig>, ConfigError> {
        if self.text("llm_url").is_empty() {
            return Ok(None);
        }
        let model = self.text("llm_model");
        if model.is_empty() {
            return Err(self.problem("llm_model", "must be set where llm_url is"));
        }
        let api_key = self.text("llm_api_key");
        Ok(Some(LlmConfig {
            url: self.url("llm_url")?,
            api_key: (!api_key.is_empty()).then(|| Secret::new(api_key)),
            model,
            timeout: self.seconds("llm_timeout_seconds")?,
        }))
    }

    fn log(&self) -> Result<String, ConfigError> {
        let directives = self.text("log");
        match EnvFilter::try_new(&directives) {
            Ok(_) => Ok(directives),
            Err(error) => Err(self.problem("log", error)),
        }
    }

    fn secret_keys(&self) -> Result<SecretKeys, ConfigError> {
        let text = self.text("secret_key");
        let keys = text.split(',').map(str::trim).filter(|key| !key.is_empty());
        keys.map(|key| {
            decode_key(key).ok_or_else(|| self.problem("secret_key", "must be 32 bytes in base64"))
        })
        .collect::<Result<_, _>>()
        .map(SecretKeys)
    }

    fn tiktok(&self) -> Result<Option<TikTokConfig>, ConfigError> {
        let client_key = self.text("tiktok_client_key");
        let business = self.tiktok_business()?;
        if client_key.is_empty() && business.is_none() {
            return Ok(None);
        }
        let transfers = [
            ("auto", TransferChoice::Auto),
            ("pull", TransferChoice::Pull),
            ("upload", TransferChoice::Upload),
        ];
        let client_secret = Secret::new(self.text("tiktok_client_secret"));
        if client_secret.expose().is_empty() && !client_key.is_empty() {
            return Err(self.problem("tiktok_client_secret", "must be set where tiktok_client_key is"));
        }
        let mut config = TikTokConfig::new(client_key, client_secret);
        config.business = business;
        if !self.text("tiktok_business_url").is_empty() {
            config.business_url = Some(self.url("tiktok_business_url")?);
        }
        config.transfer = self.choice("tiktok_transfer", &transfers)?;
        config.rate_limits = self.choice("tiktok_rate_limits", &[("on", true), ("off", false)])?;
        config.api_url = self.url("tiktok_api_url")?;
        config.auth_url = self.url("tiktok_auth_url")?;
        config.base_url = Some(self.url("base_url")?);
        Ok(Some(config))
    }

    fn tiktok_business(&self) -> Result<Option<BusinessApp>, ConfigError> {
        let client_id = self.text("tiktok_business_client_id");
        if client_id.is_empty() {
            return Ok(None);
        }
        let client_secret = Secret::new(self.text("tiktok_business_client_secret"));
        if client_secret.expose().is_empty() {
            let problem = "must be set where tiktok_business_client_id is";
            return Err(self.problem("tiktok_business_client_secret", problem));
        }
        Ok(Some(BusinessApp {
            client_id,
            client_secret,
        }))
    }

    fn plans(&self) -> Result<Plans, ConfigError> {
        let path = self.text("plans_file");
        if path.is_empty() {
            return Ok(Plans::built_in());
        }
        let text = std::fs::read_to_string(&path).map_err(|error| self.problem("plans_file", error))?;
        Plans::parse(&text).map_err(|error| self.problem("plans_file", error))
    }
}

/// 32 bytes from base64.
pub fn decode_key(text: &str) -> Option<[u8; 32]> {
    STANDARD.decode(text.trim()).ok()?.try_into().ok()
}
