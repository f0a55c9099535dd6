//! Every setting: its names, default and documentation in one table (`docs/contract.md#configuration`), and where its
//! value comes from.
//!
//! Flags win over the environment, the environment over `playout.toml`, the file over the defaults. This is the
//! only place that reads the environment. `docs/configuration.md` is made from the table by a test.

use std::collections::BTreeMap;

/// One setting. Its key in `playout.toml` is the name, its flag the name with dashes.
pub struct Setting {
    /// The name, lower case with underscores.
    pub name: &'static str,
    /// The environment variable.
    pub env: &'static str,
    /// The default; empty where there is none. `{data}` is the data directory.
    pub default: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// How it is treated.
    pub kind: Kind,
}

/// How a setting is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Shown as it is.
    Plain,
    /// Masked when shown.
    Secret,
    /// Known, but belongs to a part that this version does not have yet: setting it has no effect but a warning.
    Future,
}

impl Kind {
    /// Whether it is masked when shown.
    pub fn is_secret(self) -> bool {
        self == Self::Secret
    }

    /// Whether it has no effect yet.
    pub fn is_future(self) -> bool {
        self == Self::Future
    }
}

/// Writes a row as `Kind name ENVIRONMENT_VARIABLE = default: what it does;`.
macro_rules! settings {
    ($($kind:ident $name:ident $env:ident = $default:literal: $doc:literal;)*) => {
        /// All settings.
        pub const SETTINGS: &[Setting] = &[$(Setting {
            name: stringify!($name),
            env: stringify!($env),
            default: $default,
            doc: $doc,
            kind: Kind::$kind,
        },)*];
    };
}

settings! {
    Plain listen PLAYOUT_LISTEN = "127.0.0.1:8080": "Address and port to listen on.";
    Plain base_url PLAYOUT_BASE_URL = "http://localhost:8080": "Public address: links, media URLs, OAuth redirect. Unless it is a loopback address, the first sign-up needs the code that the log shows at each start until there is a user; with a loopback address it needs none, so set this before the port can be reached by others.";
    Plain data_dir PLAYOUT_DATA_DIR = "./data": "SQLite file, media, generated secret. A relative path starts at the working directory. Made if it is not there.";
    Plain database_url PLAYOUT_DATABASE_URL = "sqlite://{data}/playout.db": "`sqlite://…` or `postgres://…`.";
    Plain database_pool PLAYOUT_DATABASE_POOL = "10": "How many connections to PostgreSQL each node opens for requests and posts; four more are for claiming, for readiness and for hearing of other nodes. Together the nodes must stay below its `max_connections`.";
    Plain storage_url PLAYOUT_STORAGE_URL = "file://{data}/media": "Where media are kept: `file:///directory`, or `s3://bucket` or `s3://bucket/folder` for an S3 bucket that any number of nodes share. It is reached as the variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL` and the others of AWS SDKs say (docs/nodes.md#a-bucket).";
    Secret secret_key PLAYOUT_SECRET_KEY = "": "32 bytes in base64 that encrypt provider tokens and the secrets of second factors at rest; several, comma-separated, rotate: the first encrypts (docs/backup.md). Generated once into the data directory when unset.";
    Plain tiktok_client_key PLAYOUT_TIKTOK_CLIENT_KEY = "": "The app's client key; unset: connecting is off.";
    Secret tiktok_client_secret PLAYOUT_TIKTOK_CLIENT_SECRET = "": "The app's client secret.";
    Plain tiktok_business_client_id PLAYOUT_TIKTOK_BUSINESS_CLIENT_ID = "": "The client ID of the app at TikTok API for Business, whose accounts post comments too; unset: that connection is not offered. Its redirect address is `{base_url}/oauth/tiktok/callback/`, with the slash at the end.";
    Secret tiktok_business_client_secret PLAYOUT_TIKTOK_BUSINESS_CLIENT_SECRET = "": "That app's client secret.";
    Plain tiktok_api_url PLAYOUT_TIKTOK_API_URL = "https://open.tiktokapis.com": "Origin of the provider's API. Point it at the simulator to try things out.";
    Plain tiktok_auth_url PLAYOUT_TIKTOK_AUTH_URL = "https://www.tiktok.com": "Origin of the provider's pages.";
    Plain tiktok_business_url PLAYOUT_TIKTOK_BUSINESS_URL = "": "Origin of the provider's business API; unset: the real one, or `tiktok_api_url` where that is changed.";
    Plain tiktok_transfer PLAYOUT_TIKTOK_TRANSFER = "auto": "How videos travel: `auto`, `pull` or `upload`.";
    Plain tiktok_rate_limits PLAYOUT_TIKTOK_RATE_LIMITS = "on": "Keep below the provider's rate limits before it has to say so; `off` only against a simulator.";
    Plain plans_file PLAYOUT_PLANS_FILE = "": "TOML with `[plans.NAME]` tables, each with any of `posts_per_month`, `connected_accounts`, `storage_bytes`, `ai_credits_per_month`, `max_video_bytes` and `rate_limit`; a limit left out does not apply, except that `rate_limit` is then the setting of that name. They replace the built-in plans `free`, `creator`, `business` and `unlimited`, and `default_plan` must be one of them; a workspace whose plan is not there has the default one.";
    Plain default_plan PLAYOUT_DEFAULT_PLAN = "unlimited": "The plan of a new workspace.";
    Plain rate_limit PLAYOUT_RATE_LIMIT = "120/60s;burst=60": "How often each API key may call: evenly so many times in a window, and so many at once. A plan with a `rate_limit` of its own wins; `off` ends this limit and that of sessions.";
    Plain session_rate_limit PLAYOUT_SESSION_RATE_LIMIT = "600/60s;burst=200": "How often each person may call in all their sessions: a dashboard asks more often than a program, a file that is uploaded is a call, and several tabs count together; `off` ends the limit.";
    Plain signup PLAYOUT_SIGNUP = "": "Who may sign up: `open`, everyone; `invite`, those with an invitation; `closed`, no one: only people who have an account can accept an invitation then. Unset: the first user, then those with an invitation; everyone, where there were users before this default existed.";
    Plain workspaces_per_user PLAYOUT_WORKSPACES_PER_USER = "5": "How many workspaces one person may own or have made; those that they were invited to do not count. `playoutd admin workspace create` is not limited.";
    Plain dashboard PLAYOUT_DASHBOARD = "on": "`off`: not the dashboard, but only the plain pages for signing in, accounts and devices.";
    Plain address_rate_limit PLAYOUT_ADDRESS_RATE_LIMIT = "30/60s;burst=30": "How often each network address may call what needs no key and no session, such as signing in; `off` ends the limit.";
    Plain trusted_proxies PLAYOUT_TRUSTED_PROXIES = "": "CIDRs, separated by commas, whose `X-Forwarded-For` counts.";
    Plain max_connections PLAYOUT_MAX_CONNECTIONS = "4096": "How many connections there may be in all, lowered to what the system's limit of open files allows. At the limit the connection that has gone longest without progress gives way to a new one, idle ones first.";
    Plain connections_per_address PLAYOUT_CONNECTIONS_PER_ADDRESS = "128": "How many connections each client address may have, or each /64 network of IPv6; one more takes the place of the one that has gone longest without progress, and is closed where none has gone a second.";
    Plain connections_exempt PLAYOUT_CONNECTIONS_EXEMPT = "": "CIDRs, separated by commas, whose connections are not counted by address; unset: loopback and `trusted_proxies`; `none`: all are counted.";
    Plain egress_allow PLAYOUT_EGRESS_ALLOW = "": "CIDRs, separated by commas, to which outgoing webhooks may go although private, and by plain http, and from which files may be imported; unset: webhooks go only to public addresses, by https, and files are imported only from public addresses.";
    Secret smtp_url PLAYOUT_SMTP_URL = "": "Where mail goes out: `smtps://user:password@host`, or `smtp://host?tls=required`; unset: the log tells of mails without their links, and whoever invites is shown the link. A mail that the server does not take is logged and not sent again.";
    Plain mail_from PLAYOUT_MAIL_FROM = "": "Whom mail is from, such as `Playout <playout@example.org>`; unset: `playout` at the host of `base_url`.";
    Plain require_verified_email PLAYOUT_REQUIRE_VERIFIED_EMAIL = "auto": "Whether inviting people, making API keys and approving devices wait until the person's address was verified by mail: `on`, `off`, or `auto`, on where `smtp_url` is set. `on` needs `smtp_url`.";
    Plain worker_concurrency PLAYOUT_WORKER_CONCURRENCY = "64": "How many posts are handed over at the same time; as many uploads and as many questions and comments run beside them, and a quarter as many refreshes. A workspace takes at most three quarters, an account a quarter; with the first of each account it is twice as many.";
    Plain worker_lease_seconds PLAYOUT_WORKER_LEASE_SECONDS = "60": "How long a dead process keeps its posts from the others; longer than clocks differ between nodes.";
    Plain drain_seconds PLAYOUT_DRAIN_SECONDS = "5": "How long a node that was stopped by SIGTERM goes on answering requests, on PostgreSQL: `/readyz` answers 503 meanwhile, so that a balancer sends them to other nodes. `0`: it stops at once, as after SIGINT and on SQLite.";
    Plain pull_patience_seconds PLAYOUT_PULL_PATIENCE_SECONDS = "900": "How long a provider may take before it comes to fetch a video; then the video is taken back, and uploaded.";
    Plain restore_patience_seconds PLAYOUT_RESTORE_PATIENCE_SECONDS = "2820": "How long after the search of a hold a post that was not found waits before it is looked for again and goes out: the provider may be at work on it until then, 45 minutes, and lists it two minutes later.";
    Plain provider_patience_seconds PLAYOUT_PROVIDER_PATIENCE_SECONDS = "5700": "How long the provider may be at work on a submission of which it shows nothing, from when it began, at most; 50 minutes for an upload. Before that is over, a post that a person sends again is not submitted again.";
    Plain composite_credits PLAYOUT_COMPOSITE_CREDITS = "0": "AI credits that a composed slide costs.";
    Plain llm_url PLAYOUT_LLM_URL = "": "The OpenAI-compatible endpoint that writes captions, such as `https://api.openai.com/v1` or `http://localhost:11434/v1`; unset: no captions are proposed.";
    Secret llm_api_key PLAYOUT_LLM_API_KEY = "": "Its key, if it wants one.";
    Plain llm_model PLAYOUT_LLM_MODEL = "": "Its model. For requests with images it must be one that sees.";
    Plain llm_timeout_seconds PLAYOUT_LLM_TIMEOUT_SECONDS = "50": "How long captions may take, a second try included. The client `playout` waits 60 seconds for any answer.";
    Plain log PLAYOUT_LOG = "info": "What to log: a level, or directives as of the tracing crate.";
    Plain log_format PLAYOUT_LOG_FORMAT = "text": "`text` or `json`.";
    Plain failpoint PLAYOUT_FAILPOINT = "": "Kills the process at a named point, or panics there, for tests; only in builds with the feature `failpoints`: docs/failpoints.md.";
    Future metrics_listen PLAYOUT_METRICS_LISTEN = "": "Address and port for Prometheus.";
    Future otlp_endpoint OTEL_EXPORTER_OTLP_ENDPOINT = "": "Where traces go.";
}

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {problem} (set by {origin})")]
pub struct ConfigError {
    /// The setting, or the file.
    pub(crate) name: String,
    /// What is wrong with it.
    pub(crate) problem: String,
    /// Where it was set.
    pub(crate) origin: String,
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
    /// The variables `AWS_…` of the environment, for a storage in a bucket.
    pub aws: BTreeMap<String, String>,
}

impl Sources {
    /// The flags given, this process's environment, and `playout.toml` in the working directory if it is there.
    pub fn gather(flags: BTreeMap<String, String>) -> Result<Self, ConfigError> {
        Ok(Self {
            flags,
            env: environment(),
            file: read_file("playout.toml")?,
            aws: aws_variables(),
        })
    }

    /// The text of a setting and where it was set; an empty text counts as unset.
    pub fn find(&self, setting: &Setting) -> (String, &'static str) {
        let sources = [
            ("a flag", &self.flags),
            ("the environment", &self.env),
            ("playout.toml", &self.file),
        ];
        let found = sources.iter().find_map(|(origin, map)| {
            let text = map.get(setting.name).filter(|text| !text.is_empty())?;
            Some((text.clone(), *origin))
        });
        found.unwrap_or((setting.default.to_owned(), DEFAULT))
    }

    /// The settings that were set although this version has no use for them.
    pub fn without_effect(&self) -> Vec<&'static str> {
        let future = SETTINGS.iter().filter(|setting| setting.kind.is_future());
        future
            .filter(|setting| self.find(setting).1 != DEFAULT)
            .map(|setting| setting.env)
            .collect()
    }
}

/// What [`Sources::find`] calls the default.
pub(crate) const DEFAULT: &str = "the default";

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the environment"
)]
fn environment() -> BTreeMap<String, String> {
    let read = |setting: &Setting| Some((setting.name.to_owned(), std::env::var(setting.env).ok()?));
    SETTINGS.iter().filter_map(read).collect()
}

fn aws_variables() -> BTreeMap<String, String> {
    let texts = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    texts.filter(|(name, _)| name.starts_with("AWS_")).collect()
}

fn read_file(path: &str) -> Result<BTreeMap<String, String>, ConfigError> {
    let refuse = |name: &str, problem: String| ConfigError {
        name: name.to_owned(),
        problem,
        origin: path.to_owned(),
    };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(refuse(path, error.to_string())),
    };
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| refuse(path, error.to_string()))?;
    let read = |(key, value): (String, toml::Value)| match value {
        _ if !SETTINGS.iter().any(|setting| setting.name == key) => {
            Err(refuse(&key, "no setting is called so".to_owned()))
        }
        toml::Value::String(text) => Ok((key, text)),
        toml::Value::Integer(number) => Ok((key, number.to_string())),
        toml::Value::Boolean(flag) => Ok((key, flag.to_string())),
        _ => Err(refuse(&key, "must be a text".to_owned())),
    };
    table.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rewrites the reference when the table has changed, and fails once, so that the change is seen and committed.
    #[test]
    fn the_reference_of_settings_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
        let reference = reference();
        if std::fs::read_to_string(path).unwrap_or_default() != reference {
            std::fs::write(path, reference).unwrap();
            panic!("docs/configuration.md was out of date and is rewritten now; commit it");
        }
    }

    fn reference() -> String {
        let rows = |future: bool| -> String {
            let shown = SETTINGS
                .iter()
                .filter(|setting| setting.kind.is_future() == future);
            shown.map(row).collect()
        };
        format!(
            "# Configuration\n\nMade from `crates/server/src/settings.rs`. Flags win over the environment, the environment over\n\
             `playout.toml` in the working directory (keys: the names), the file over the defaults. `playoutd check` prints the result,\n\
             secrets masked.\n\n\
             {HEAD}{}\nKnown, for parts that this version does not have yet; setting one has no effect but a warning:\n\n{HEAD}{}",
            rows(false),
            rows(true)
        )
    }

    const HEAD: &str = "| Name | Environment variable | Default | |\n|---|---|---|---|\n";

    fn row(setting: &Setting) -> String {
        let default = if setting.default.is_empty() {
            "unset".to_owned()
        } else {
            format!("`{}`", setting.default)
        };
        format!(
            "| `{}` | `{}` | {default} | {} |\n",
            setting.name, setting.env, setting.doc
        )
    }
}
