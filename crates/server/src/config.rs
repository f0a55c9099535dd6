//! Every setting: its name, default and documentation in one table, and the typed [`Config`] made from it.
//!
//! Flags win over the environment, the environment over `playout.toml`, the file over the defaults
//! (contract §9). This is the only place that reads the environment.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use playout_domain::secret::Secret;
use playout_domain::workspace::Plan;
use playout_tiktok::{TikTokConfig, TransferChoice};
use url::Url;

use crate::plans::Plans;

/// One setting. Its flag is `--name-with-dashes`, its environment variable `PLAYOUT_NAME` unless it says
/// otherwise, its key in `playout.toml` the name itself.
pub struct Setting {
    /// The name, lower case with underscores.
    pub name: &'static str,
    /// The flag, without its two dashes.
    pub flag: &'static str,
    /// The environment variable.
    pub env: &'static str,
    /// The default; empty where there is none. `{data}` is the data directory.
    pub default: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Whether it is masked when shown.
    pub secret: bool,
}

/// With a default: shown as it is. Without: a secret.
macro_rules! setting {
    ($name:literal, $flag:literal, $env:literal, $default:literal, $doc:literal) => {
        Setting {
            name: $name,
            flag: $flag,
            env: $env,
            default: $default,
            doc: $doc,
            secret: false,
        }
    };
    ($name:literal, $flag:literal, $env:literal, $doc:literal) => {
        Setting {
            name: $name,
            flag: $flag,
            env: $env,
            default: "",
            doc: $doc,
            secret: true,
        }
    };
}

/// All settings.
pub const SETTINGS: &[Setting] = &[
    setting!(
        "listen",
        "listen",
        "PLAYOUT_LISTEN",
        "127.0.0.1:8080",
        "Address and port to listen on."
    ),
    setting!(
        "base_url",
        "base-url",
        "PLAYOUT_BASE_URL",
        "http://localhost:8080",
        "Public address: links, media URLs, OAuth redirect."
    ),
    setting!(
        "data_dir",
        "data-dir",
        "PLAYOUT_DATA_DIR",
        "./data",
        "SQLite file, media, generated secret."
    ),
    setting!(
        "database_url",
        "database-url",
        "PLAYOUT_DATABASE_URL",
        "sqlite://{data}/playout.db",
        "sqlite://… or postgres://…"
    ),
    setting!(
        "storage_url",
        "storage-url",
        "PLAYOUT_STORAGE_URL",
        "file://{data}/media",
        "Where media are kept."
    ),
    setting!(
        "secret_key",
        "secret-key",
        "PLAYOUT_SECRET_KEY",
        "32 bytes base64; encrypts provider tokens at rest; several, comma-separated, rotate. Generated once into the data directory."
    ),
    setting!(
        "tiktok_client_key",
        "tiktok-client-key",
        "PLAYOUT_TIKTOK_CLIENT_KEY",
        "",
        "The app's client key; unset: connecting is off."
    ),
    setting!(
        "tiktok_client_secret",
        "tiktok-client-secret",
        "PLAYOUT_TIKTOK_CLIENT_SECRET",
        "The app's client secret."
    ),
    setting!(
        "tiktok_api_url",
        "tiktok-api-url",
        "PLAYOUT_TIKTOK_API_URL",
        "https://open.tiktokapis.com",
        "Origin of the provider's API. Point it at the simulator to try things out."
    ),
    setting!(
        "tiktok_auth_url",
        "tiktok-auth-url",
        "PLAYOUT_TIKTOK_AUTH_URL",
        "https://www.tiktok.com",
        "Origin of the provider's pages."
    ),
    setting!(
        "tiktok_transfer",
        "tiktok-transfer",
        "PLAYOUT_TIKTOK_TRANSFER",
        "auto",
        "How videos travel: auto, pull or upload."
    ),
    setting!(
        "tiktok_rate_limits",
        "tiktok-rate-limits",
        "PLAYOUT_TIKTOK_RATE_LIMITS",
        "on",
        "Keep to the provider's rate limits before it has to say so; off only against a simulator."
    ),
    setting!(
        "egress_allow",
        "egress-allow",
        "PLAYOUT_EGRESS_ALLOW",
        "",
        "CIDRs to which outgoing webhooks may go although private."
    ),
    setting!(
        "plans_file",
        "plans-file",
        "PLAYOUT_PLANS_FILE",
        "",
        "TOML with [plans.NAME] tables; unset: the built-in plans."
    ),
    setting!(
        "default_plan",
        "default-plan",
        "PLAYOUT_DEFAULT_PLAN",
        "unlimited",
        "The plan of a new workspace."
    ),
    setting!(
        "log",
        "log",
        "PLAYOUT_LOG",
        "info",
        "What to log: a level or tracing directives."
    ),
    setting!(
        "log_format",
        "log-format",
        "PLAYOUT_LOG_FORMAT",
        "text",
        "text or json."
    ),
    setting!(
        "worker_concurrency",
        "worker-concurrency",
        "PLAYOUT_WORKER_CONCURRENCY",
        "32",
        "How many posts are brought to their providers at the same time."
    ),
    setting!(
        "worker_lease_seconds",
        "worker-lease-seconds",
        "PLAYOUT_WORKER_LEASE_SECONDS",
        "60",
        "How long a dead process keeps its posts from the others; longer than clocks differ between nodes."
    ),
    setting!(
        "failpoint",
        "failpoint",
        "PLAYOUT_FAILPOINT",
        "",
        "Kills the process at a named point; for crash tests."
    ),
];

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {problem} (set by {origin})")]
pub struct ConfigError {
    name: String,
    problem: String,
    origin: String,
}

/// Where the raw texts come from, strongest first.
#[derive(Debug, Default, Clone)]
pub struct Sources {
    /// From the command line.
    pub flags: BTreeMap<String, String>,
    /// From the environment.
    pub env: BTreeMap<String, String>,
    /// From `playout.toml`.
    pub file: BTreeMap<String, String>,
}

impl Sources {
    /// The flags given, this process's environment, and `playout.toml` in the working directory if it is there.
    pub fn gather(flags: BTreeMap<String, String>) -> Result<Self, ConfigError> {
        Ok(Self {
            flags,
            env: environment(),
            file: read_file("playout.toml")?,
        })
    }

    fn find(&self, setting: &Setting) -> (String, &'static str) {
        let sources = [
            ("a flag", &self.flags),
            ("the environment", &self.env),
            ("playout.toml", &self.file),
        ];
        let found = sources
            .iter()
            .find_map(|(origin, map)| Some((map.get(setting.name)?.clone(), *origin)));
        found
            .filter(|(value, _)| !value.is_empty())
            .unwrap_or((setting.default.to_owned(), "the default"))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
fn environment() -> BTreeMap<String, String> {
    let read = |setting: &Setting| Some((setting.name.to_owned(), std::env::var(setting.env).ok()?));
    SETTINGS.iter().filter_map(read).collect()
}

fn read_file(path: &str) -> Result<BTreeMap<String, String>, ConfigError> {
    let Ok(text) = std::fs::read_to_string(path) else {
        return Ok(BTreeMap::new());
    };
    let problem = |problem: String| ConfigError {
        name: path.to_owned(),
        problem,
        origin: "playout.toml".to_owned(),
    };
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| problem(error.to_string()))?;
    table
        .into_iter()
        .map(|(key, value)| match value {
            _ if !SETTINGS.iter().any(|setting| setting.name == key) => {
                Err(problem(format!("no setting is called {key}")))
            }
            toml::Value::String(text) => Ok((key, text)),
            toml::Value::Integer(number) => Ok((key, number.to_string())),
            toml::Value::Boolean(flag) => Ok((key, flag.to_string())),
            _ => Err(problem(format!("{key} must be a text"))),
        })
        .collect()
}

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
    /// `file://…`.
    pub storage_url: String,
    /// Keys of the vault; the first encrypts. Empty: generated into the data directory.
    pub secret_keys: Vec<[u8; 32]>,
    /// The TikTok app, if there is one.
    pub tiktok: Option<TikTokConfig>,
    /// What each plan allows.
    pub plans: Plans,
    /// The plan of a new workspace.
    pub default_plan: String,
    /// Directives for the log.
    pub log: String,
    /// Whether log lines are JSON.
    pub log_json: bool,
    /// How many jobs run at the same time.
    pub worker_concurrency: usize,
    /// How long a claimed job is its process's own unless renewed.
    pub worker_lease: Duration,
    /// Where to die, for crash tests.
    pub failpoint: Option<String>,
}

impl Config {
    /// Reads all settings from `sources`.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        let read = Reader { sources };
        let data_dir =
            std::path::absolute(read.text("data_dir")).map_err(|error| read.problem("data_dir", error))?;
        let in_data = |text: String| text.replace("{data}", &data_dir.to_string_lossy());
        let plans = read.plans()?;
        let default_plan = read.text("default_plan");
        if plans.find(&default_plan).is_none() {
            return Err(read.problem("default_plan", "no such plan"));
        }
        Ok(Self {
            listen: read.parse("listen")?,
            base_url: read.origin("base_url")?,
            database_url: Secret::new(in_data(read.text("database_url"))),
            storage_url: in_data(read.text("storage_url")),
            secret_keys: read.secret_keys()?,
            tiktok: read.tiktok()?,
            plans,
            default_plan,
            log: read.text("log"),
            log_json: read.choice("log_format", &[("text", false), ("json", true)])?,
            worker_concurrency: read.parse("worker_concurrency")?,
            worker_lease: read.seconds("worker_lease_seconds")?,
            failpoint: Some(read.text("failpoint")).filter(|name| !name.is_empty()),
            data_dir,
        })
    }

    /// Every setting and its value as found, secrets masked: what `playoutd check` prints.
    pub fn describe(sources: &Sources) -> Vec<(&'static str, String, &'static str)> {
        SETTINGS
            .iter()
            .map(|setting| {
                let (value, origin) = sources.find(setting);
                let masked = if setting.secret && !value.is_empty() {
                    "********".to_owned()
                } else {
                    mask_password(value)
                };
                (setting.name, masked, origin)
            })
            .collect()
    }
}

/// Hides the password of a URL such as a PostgreSQL address.
fn mask_password(value: String) -> String {
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

    fn secret_keys(&self) -> Result<Vec<[u8; 32]>, ConfigError> {
        let text = self.text("secret_key");
        let keys = text.split(',').map(str::trim).filter(|key| !key.is_empty());
        keys.map(|key| {
            decode_key(key).ok_or_else(|| self.problem("secret_key", "must be 32 bytes in base64"))
        })
        .collect()
    }

    fn tiktok(&self) -> Result<Option<TikTokConfig>, ConfigError> {
        let client_key = self.text("tiktok_client_key");
        if client_key.is_empty() {
            return Ok(None);
        }
        let transfers = [
            ("auto", TransferChoice::Auto),
            ("pull", TransferChoice::Pull),
            ("upload", TransferChoice::Upload),
        ];
        let client_secret = Secret::new(self.text("tiktok_client_secret"));
        let mut config = TikTokConfig::new(client_key, client_secret);
        config.transfer = self.choice("tiktok_transfer", &transfers)?;
        config.rate_limits = self.choice("tiktok_rate_limits", &[("on", true), ("off", false)])?;
        if self.find("tiktok_api_url").1 != "the default" {
            config.api_url = self.url("tiktok_api_url")?;
            config.auth_url = self.url("tiktok_auth_url")?;
        }
        Ok(Some(config))
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

/// A plan's limits by name, for callers that hold a workspace.
pub fn plan_of<'a>(config: &'a Config, name: &str) -> &'a Plan {
    config
        .plans
        .find(name)
        .or_else(|| config.plans.find(&config.default_plan))
        .unwrap_or(Plans::none())
}
