//! The client's configuration, and what follows from the provider's addresses in it.

use std::sync::LazyLock;
use std::time::Duration;

use playout_domain::secret::Secret;
use url::Url;

const API_URL: &str = "https://open.tiktokapis.com";
const AUTH_URL: &str = "https://www.tiktok.com";
const BUSINESS_URL: &str = "https://business-api.tiktok.com";
const CALL_TIMEOUT: Duration = Duration::from_secs(30);

/// How videos travel. Photos are always fetched by the provider, which offers nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TransferChoice {
    /// What works best: uploads, because fetching is known to hang for hours.
    #[default]
    Auto,
    /// The provider fetches videos from us.
    Pull,
    /// We send videos to the provider.
    Upload,
}

/// The app of the business connection, registered in a portal of its own.
#[derive(Debug, Clone)]
pub struct BusinessApp {
    /// The app's public identifier.
    pub client_id: String,
    /// The app's secret.
    pub client_secret: Secret,
}

/// Everything the client needs to know of the apps and of where the provider is.
#[derive(Debug, Clone)]
pub struct TikTokConfig {
    /// The creator connection's app: its public identifier. Empty: there is none.
    pub client_key: String,
    /// Its secret; webhooks are signed with it too.
    pub client_secret: Secret,
    /// The business connection's app, if there is one.
    pub business: Option<BusinessApp>,
    /// Origin of the API.
    pub api_url: Url,
    /// Origin of the pages that people see: the consent page, and permalinks when `api_url` is overridden.
    pub auth_url: Url,
    /// Origin of the business API. `None`: the real one, or `api_url` when that is overridden.
    pub business_url: Option<Url>,
    /// How videos travel.
    pub transfer: TransferChoice,
    /// The address of ours below which the provider would fetch media. `None`: not configured.
    pub base_url: Option<Url>,
    /// Whether to keep below the provider's rate limits by ourselves.
    pub rate_limits: bool,
    /// How long a call may take; one that carries bytes has the time that a slow line needs in addition.
    pub call_timeout: Duration,
}

impl TikTokConfig {
    /// The real provider, with our own rate limits on.
    pub fn new(client_key: impl Into<String>, client_secret: Secret) -> Self {
        Self {
            client_key: client_key.into(),
            client_secret,
            business: None,
            api_url: constant(API_URL),
            auth_url: constant(AUTH_URL),
            business_url: None,
            transfer: TransferChoice::Auto,
            base_url: None,
            rate_limits: true,
            call_timeout: CALL_TIMEOUT,
        }
    }

    /// Whether the API is somewhere else than at the real provider: a simulator, in general.
    pub(crate) fn is_overridden(&self) -> bool {
        static REAL: LazyLock<Url> = LazyLock::new(|| constant(API_URL));
        self.api_url != *REAL
    }

    pub(crate) fn api(&self, path: &str) -> String {
        joined(&self.api_url, path)
    }

    pub(crate) fn auth(&self, path: &str) -> String {
        joined(&self.auth_url, path)
    }

    pub(crate) fn business(&self, path: &str) -> String {
        match &self.business_url {
            Some(url) => joined(url, path),
            None if self.is_overridden() => self.api(path),
            None => format!("{BUSINESS_URL}{path}"),
        }
    }

    /// Whether bytes may be sent to `url`: https below `tiktokapis.com`; with an overridden API, only that very origin
    /// (`docs/contract.md#provider-hosts`).
    pub(crate) fn allows_upload_to(&self, url: &str) -> bool {
        let Ok(url) = Url::parse(url) else {
            return false;
        };
        if !url.username().is_empty() || url.password().is_some() {
            return false;
        }
        if self.is_overridden() {
            return url.origin() == self.api_url.origin();
        }
        let host = url.host_str().unwrap_or_default();
        url.scheme() == "https" && url.port().is_none() && host.ends_with(".tiktokapis.com")
    }

    /// Whether posts have their pages there: at the real provider, or where `auth_url` is when the API is overridden.
    pub(crate) fn has_pages_at(&self, url: &Url) -> bool {
        if self.is_overridden() && url.origin() == self.auth_url.origin() {
            return true;
        }
        let is_plain = url.scheme() == "https" && url.port().is_none() && url.username().is_empty();
        let host = url.host_str().unwrap_or_default();
        is_plain && matches!(host, "www.tiktok.com" | "tiktok.com" | "m.tiktok.com")
    }

    /// The public page of a post.
    pub(crate) fn permalink(&self, username: &str, kind: &str, post_id: &str) -> String {
        let base = if self.is_overridden() {
            self.auth("")
        } else {
            AUTH_URL.to_owned()
        };
        format!("{base}/@{username}/{kind}/{post_id}")
    }
}

fn joined(origin: &Url, path: &str) -> String {
    format!("{}{path}", origin.as_str().trim_end_matches('/'))
}

#[expect(
    clippy::expect_used,
    reason = "the constants above are valid addresses; a test reads them"
)]
fn constant(url: &str) -> Url {
    Url::parse(url).expect("a constant address")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real() -> TikTokConfig {
        TikTokConfig::new("key", Secret::new("secret"))
    }

    fn overridden() -> TikTokConfig {
        TikTokConfig {
            api_url: constant("http://127.0.0.1:9100"),
            auth_url: constant("http://127.0.0.1:9200/"),
            ..real()
        }
    }

    #[test]
    fn bytes_go_only_to_https_hosts_of_the_provider() {
        let allowed = |url: &str| real().allows_upload_to(url);
        assert!(allowed(
            "https://open-upload-i18n.tiktokapis.com/upload?upload_id=1"
        ));
        for url in [
            "http://open-upload.tiktokapis.com/upload",
            "https://tiktokapis.com.evil.example/upload",
            "https://eviltiktokapis.com/upload",
            "https://user@open-upload.tiktokapis.com/upload",
            "https://open-upload.tiktokapis.com:8443/upload",
            "https://127.0.0.1/upload",
            "ftp://x.tiktokapis.com/",
            "",
        ] {
            assert!(!allowed(url), "{url} must not be sent to");
        }
    }

    #[test]
    fn an_overridden_api_takes_bytes_at_its_own_origin_alone() {
        let allowed = |url: &str| overridden().allows_upload_to(url);
        assert!(allowed("http://127.0.0.1:9100/upload?upload_id=1"));
        assert!(!allowed("http://127.0.0.1:9101/upload"));
        assert!(!allowed("https://127.0.0.1:9100/upload"));
        assert!(!allowed("https://open-upload.tiktokapis.com/upload"));
    }

    #[test]
    fn the_business_api_and_permalinks_follow_an_overridden_api() {
        let business = "https://business-api.tiktok.com/open_api/x";
        assert_eq!(real().business("/open_api/x"), business);
        assert_eq!(
            overridden().business("/open_api/x"),
            "http://127.0.0.1:9100/open_api/x"
        );
        let own = TikTokConfig {
            business_url: Some(constant("https://b.example")),
            ..overridden()
        };
        assert_eq!(own.business("/x"), "https://b.example/x");
        assert_eq!(
            real().permalink("kite", "photo", "7"),
            "https://www.tiktok.com/@kite/photo/7"
        );
        assert_eq!(
            overridden().permalink("kite", "video", "7"),
            "http://127.0.0.1:9200/@kite/video/7"
        );
    }
}
