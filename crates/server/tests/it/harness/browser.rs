//! A browser without scripts: it keeps the session's cookie, sends an `Origin` header with its forms, and follows no
//! redirect.

use reqwest::Method;

use super::{Answer, TestApp, with_form};

/// A browser of one person.
pub(crate) struct Browser<'t> {
    app: &'t TestApp,
    cookie: Option<String>,
    devices: Vec<String>,
    /// The `Origin` header of its forms; `None` sends none.
    pub(crate) origin: Option<String>,
}

impl TestApp {
    /// A browser without a session.
    pub(crate) fn browser(&self) -> Browser<'_> {
        Browser {
            app: self,
            cookie: None,
            devices: Vec::new(),
            origin: Some(self.app.config.base_url.clone()),
        }
    }

    /// A browser with the session of this token.
    pub(crate) fn browser_of(&self, token: &str) -> Browser<'_> {
        let cookie = Some(token.to_owned());
        Browser {
            cookie,
            ..self.browser()
        }
    }
}

impl Browser<'_> {
    /// Opens a page.
    pub(crate) async fn open(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, &[]).await
    }

    /// Sends a form.
    pub(crate) async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.send(Method::POST, path, fields).await
    }

    /// The session's token, if there is a session.
    pub(crate) fn token(&self) -> Option<&str> {
        self.cookie.as_deref()
    }

    async fn send(&mut self, method: Method, path: &str, fields: &[(&str, &str)]) -> Answer {
        let api = self.app.nobody();
        let mut request = api.request(method.clone(), path);
        let session = self.cookie.iter().map(|token| format!("playout_session={token}"));
        let cookies: Vec<String> = session.chain(self.devices.iter().cloned()).collect();
        if !cookies.is_empty() {
            request = request.header("cookie", cookies.join("; "));
        }
        if method == Method::POST {
            request = with_form(request, fields);
            if let Some(origin) = &self.origin {
                request = request.header("origin", origin);
            }
        }
        let answer = api.send(request).await;
        if let Some(token) = answer.header("set-cookie").strip_prefix("playout_session=") {
            let token = token.split(';').next().unwrap_or_default();
            self.cookie = Some(token.to_owned()).filter(|token| !token.is_empty());
        }
        self.devices.extend(answer.known_device());
        answer
    }
}

impl Answer {
    /// The cookie that makes a device known, as a browser sends it back.
    pub(crate) fn known_device(&self) -> Option<String> {
        let cookies = self.headers.get_all("set-cookie").iter();
        let mut cookies = cookies.map(|cookie| cookie.to_str().unwrap());
        let device = cookies.find(|cookie| cookie.starts_with("playout_device_"))?;
        device.split(';').next().map(str::to_owned)
    }
}

impl Answer {
    /// The text of a page, which must have this status and what every page has. Its character references are names here, and its
    /// apostrophes are not escaped.
    #[track_caller]
    pub(crate) fn page(&self, status: u16) -> String {
        let text = String::from_utf8(self.body.clone()).unwrap();
        assert_eq!(self.status, status, "{text}");
        assert_eq!(self.header("content-type"), "text/html; charset=utf-8", "{text}");
        assert_eq!(self.header("cache-control"), "no-store");
        assert_eq!(self.header("x-content-type-options"), "nosniff");
        let policy = self.header("content-security-policy");
        for part in [
            "default-src 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!text.contains("<script"), "{text}");
        let references = [
            ("&#34;", "&quot;"),
            ("&#38;", "&amp;"),
            ("&#39;", "'"),
            ("&#60;", "&lt;"),
            ("&#62;", "&gt;"),
        ];
        let named = |text: String, (number, name)| text.replace(number, name);
        references.into_iter().fold(text, named)
    }

    /// Where a redirect leads.
    #[track_caller]
    pub(crate) fn leads_to(&self) -> &str {
        assert_eq!(self.status, 303, "{}", String::from_utf8_lossy(&self.body));
        self.header("location")
    }
}
