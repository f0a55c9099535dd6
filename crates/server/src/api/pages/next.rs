//! The page after signing in: the one that was requested, never another site.

use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};

/// The default page after signing in.
pub const HOME: &str = "/accounts";

/// Redirects to the sign-in page, and from there back to this page. A form that was sent is not sent again.
pub fn sign_in_first(request: &Parts) -> Response {
    let path = request.uri.path_and_query().filter(|_| request.method.is_safe());
    let path = path.map_or(HOME, |path| path.as_str());
    Redirect::to(&with_next("/sign-in", path)).into_response()
}

/// A page's address with the page that follows it.
pub fn with_next(page: &str, next: &str) -> String {
    if local(next) == HOME {
        return page.to_owned();
    }
    let query: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("next", next)
        .finish();
    format!("{page}?{query}")
}

/// A path of this service; empty for anything else. Browsers treat `//host` and `/\host` as other hosts.
pub fn local(next: &str) -> &str {
    let is_path = next.starts_with('/') && !next.starts_with("//");
    let is_plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_path && is_plain { next } else { HOME }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_path_of_ours_is_gone_on_to() {
        assert_eq!(
            local("/device?user_code=SVC-BCDF-GHJK"),
            "/device?user_code=SVC-BCDF-GHJK"
        );
        for elsewhere in [
            "",
            "device",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example/",
            "javascript:alert(1)",
            "/\t/evil.example",
            "/device\r\nSet-Cookie: a=b",
            "/ünsinn",
        ] {
            assert_eq!(local(elsewhere), HOME, "{elsewhere:?}");
        }
    }

    #[test]
    fn the_way_back_survives_the_address() {
        assert_eq!(
            with_next("/sign-in", "/device?user_code=A&b=c"),
            "/sign-in?next=%2Fdevice%3Fuser_code%3DA%26b%3Dc"
        );
        assert_eq!(with_next("/sign-in", "//evil.example"), "/sign-in");
    }
}
