//! A request as the provider's endpoints see it.

use axum::http::{HeaderMap, Method, Uri, header};
use bytes::Bytes;
use url::form_urlencoded;

use super::fault::Endpoint;

/// A request with its whole body (none for uploads, which are streamed).
#[derive(Debug)]
pub(super) struct Call {
    pub(super) endpoint: Option<Endpoint>,
    pub(super) method: Method,
    pub(super) uri: Uri,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Call {
    /// The request; which endpoint it is for depends on its parts and, for tokens, on its body.
    pub(super) fn new(method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Self {
        let mut call = Self {
            endpoint: None,
            method,
            uri,
            headers,
            body,
        };
        call.endpoint = call.find_endpoint();
        call
    }

    /// Paths are compared as they are: the API wants the slash at the end. The authorize page, which is on another host,
    /// answers without it too.
    fn find_endpoint(&self) -> Option<Endpoint> {
        let endpoint = match (self.method.as_str(), self.uri.path()) {
            ("GET" | "POST", "/v2/auth/authorize" | "/v2/auth/authorize/") => Endpoint::Authorize,
            ("POST", "/v2/oauth/token/") if self.form("grant_type").as_deref() == Some("refresh_token") => {
                Endpoint::TokenRefresh
            }
            ("POST", "/v2/oauth/token/") => Endpoint::Token,
            ("POST", "/v2/oauth/revoke/") => Endpoint::Revoke,
            ("GET", "/v2/user/info/") => Endpoint::UserInfo,
            ("POST", "/v2/video/list/") => Endpoint::VideoList,
            ("POST", "/v2/video/query/") => Endpoint::VideoQuery,
            ("POST", "/v2/post/publish/creator_info/query/") => Endpoint::CreatorInfo,
            ("POST", "/v2/post/publish/video/init/") => Endpoint::VideoInit,
            ("POST", "/v2/post/publish/inbox/video/init/") => Endpoint::InboxInit,
            ("POST", "/v2/post/publish/content/init/") => Endpoint::ContentInit,
            ("POST", "/v2/post/publish/status/fetch/") => Endpoint::Status,
            ("POST", "/v2/post/publish/cancel/") => Endpoint::Cancel,
            ("PUT", "/upload") if self.chunk().is_some_and(|chunk| chunk.is_last()) => Endpoint::UploadLast,
            ("PUT", "/upload") => Endpoint::Upload,
            (method, path) => return find_business(method, path.strip_prefix("/open_api/v1.3")?),
        };
        Some(endpoint)
    }

    pub(super) fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A parameter of the query.
    pub(super) fn query(&self, name: &str) -> Option<String> {
        find(self.uri.query().unwrap_or("").as_bytes(), name)
    }

    /// A field of the form in the body.
    pub(super) fn form(&self, name: &str) -> Option<String> {
        find(&self.body, name)
    }

    /// All values of a field of the form.
    pub(super) fn form_all(&self, name: &str) -> Vec<String> {
        let pairs = form_urlencoded::parse(&self.body).filter(|(key, _)| key == name);
        pairs.map(|(_, value)| value.into_owned()).collect()
    }

    pub(super) fn is_form(&self) -> bool {
        self.header(header::CONTENT_TYPE)
            .is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"))
    }

    /// The token in `Authorization: Bearer`.
    pub(super) fn bearer(&self) -> Option<&str> {
        self.header(header::AUTHORIZATION)?.strip_prefix("Bearer ")
    }

    /// The token that it carries, in whatever place: for the journal, and for faults of one account.
    pub(super) fn any_token(&self) -> Option<String> {
        let carried = self.bearer().or_else(|| self.header("access-token"));
        let carried = carried.map(str::to_owned);
        carried.or_else(|| match self.is_form() {
            true => self.form("refresh_token"),
            false => self
                .json_text("refresh_token")
                .or_else(|| self.json_text("access_token")),
        })
    }

    /// A text in the JSON object of the body, unless it is empty.
    pub(super) fn json_text(&self, name: &str) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&self.body).ok()?;
        let text = body.get(name)?.as_str()?;
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The chunk that an upload declares in `Content-Range`.
    pub(super) fn chunk(&self) -> Option<Chunk> {
        Chunk::parse(self.header(header::CONTENT_RANGE)?)
    }

    pub(super) fn path_and_query(&self) -> String {
        self.uri
            .path_and_query()
            .map_or_else(String::new, ToString::to_string)
    }
}

/// The endpoint at `path` below the root of the business API.
fn find_business(method: &str, path: &str) -> Option<Endpoint> {
    let endpoint = match (method, path) {
        ("POST", "/tt_user/oauth2/token/") => Endpoint::BusinessToken,
        ("POST", "/tt_user/oauth2/refresh_token/") => Endpoint::BusinessRefresh,
        ("POST", "/tt_user/oauth2/revoke/") => Endpoint::BusinessRevoke,
        ("GET", "/business/get/") => Endpoint::BusinessGet,
        ("GET", "/business/video/settings/") => Endpoint::BusinessSettings,
        ("GET", "/business/video/list/") => Endpoint::BusinessPosts,
        ("POST", "/business/video/publish/") => Endpoint::BusinessVideo,
        ("POST", "/business/photo/publish/") => Endpoint::BusinessPhoto,
        ("GET", "/business/publish/status/") => Endpoint::BusinessStatus,
        ("POST", "/business/comment/create/") => Endpoint::CommentCreate,
        ("GET", "/business/comment/list/") => Endpoint::CommentList,
        _ => return None,
    };
    Some(endpoint)
}

fn find(pairs: &[u8], name: &str) -> Option<String> {
    form_urlencoded::parse(pairs)
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
}

/// `Content-Range: bytes <first>-<last>/<total>`, inclusive, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) total: u64,
}

impl Chunk {
    fn parse(text: &str) -> Option<Self> {
        let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        let chunk = Self {
            first: first.parse().ok()?,
            last: last.parse().ok()?,
            total: total.parse().ok()?,
        };
        if chunk.first <= chunk.last && chunk.last < chunk.total {
            Some(chunk)
        } else {
            None
        }
    }

    pub(super) fn length(self) -> u64 {
        self.last - self.first + 1
    }

    pub(super) fn is_last(self) -> bool {
        self.last + 1 == self.total
    }
}

#[cfg(test)]
mod tests {
    use super::Chunk;

    #[test]
    fn only_an_inclusive_range_inside_the_total_is_a_chunk() {
        assert_eq!(
            Chunk::parse("bytes 0-9/20"),
            Some(Chunk {
                first: 0,
                last: 9,
                total: 20
            })
        );
        for text in [
            "bytes 0-20/20",
            "bytes 5-4/20",
            "bytes */20",
            "0-9/20",
            "bytes 0-9/*",
        ] {
            assert_eq!(Chunk::parse(text), None, "{text}");
        }
    }
}
