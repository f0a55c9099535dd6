//! A person's browser: Chromium, driven over WebDriver (<https://www.w3.org/TR/webdriver2/>).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// The key under which WebDriver names an element (W3C, "WebDriver", "Elements").
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// How long a page may take to show what is looked for.
const PATIENCE_MS: u32 = 120_000;
/// As root, and without any prompt.
const ARGUMENTS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1440,900",
];

/// A browser with one window.
pub(crate) struct Chromium<'r> {
    driver: Child,
    session: String,
    http: reqwest::Client,
    runtime: &'r Runtime,
    _profile: TempDir,
}

impl<'r> Chromium<'r> {
    #[expect(clippy::disallowed_methods, reason = "the tests' way to the browser's driver")]
    pub(crate) fn start(runtime: &'r Runtime) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver, from Debian's chromium-driver");
        let port = port(&mut driver);
        let profile = tempfile::tempdir().unwrap();
        let mut browser = Self {
            driver,
            session: format!("http://127.0.0.1:{port}/session"),
            http: reqwest::Client::builder().no_proxy().build().unwrap(),
            runtime,
            _profile: profile,
        };
        let folder = format!("--user-data-dir={}", browser._profile.path().display());
        let arguments: Vec<&str> = ARGUMENTS.into_iter().chain([folder.as_str()]).collect();
        let wanted =
            json!({ "timeouts": { "implicit": PATIENCE_MS }, "goog:chromeOptions": { "args": arguments } });
        let wanted = json!({ "capabilities": { "alwaysMatch": wanted } });
        let begun = browser.call(Method::POST, "", Some(wanted));
        browser.session = format!("{}/{}", browser.session, begun["sessionId"].as_str().unwrap());
        browser
    }

    /// Opens a page.
    pub(crate) fn open(&self, url: &str) {
        self.call(Method::POST, "/url", Some(json!({ "url": url })));
    }

    /// Where it is.
    pub(crate) fn address(&self) -> String {
        let url = self.call(Method::GET, "/url", None);
        url.as_str().unwrap().to_owned()
    }

    /// Waits until the page shows this.
    pub(crate) fn wait_for(&self, text: &str) {
        self.located(
            "xpath",
            &format!("//body[contains(normalize-space(.), '{text}')]"),
        );
    }

    /// Types into the field with this name.
    pub(crate) fn fill(&self, name: &str, text: &str) {
        let field = self.find(&format!("[name={name}]:not([type=hidden])"));
        self.call(Method::POST, &format!("{field}/clear"), Some(json!({})));
        self.call(
            Method::POST,
            &format!("{field}/value"),
            Some(json!({ "text": text })),
        );
    }

    /// Presses the button, or follows the link, with this text.
    pub(crate) fn press(&self, label: &str) {
        let path = format!("//*[self::button or self::a][normalize-space()='{label}']");
        let button = self.located("xpath", &path);
        self.call(Method::POST, &format!("{button}/click"), Some(json!({})));
    }

    /// Presses the element that this selector finds.
    pub(crate) fn press_at(&self, selector: &str) {
        let button = self.find(selector);
        self.call(Method::POST, &format!("{button}/click"), Some(json!({})));
    }

    /// Keeps a picture of the window.
    pub(crate) fn picture(&self, file: &Path) {
        use base64::Engine;
        // Where the page changes in that moment, chromedriver takes none.
        let mut pictures = (0..5).map(|_| self.answer(Method::GET, "/screenshot", None));
        let picture = pictures.find(|answer| answer["error"].is_null()).unwrap();
        let bytes = base64::engine::general_purpose::STANDARD.decode(picture.as_str().unwrap());
        std::fs::write(file, bytes.unwrap()).unwrap();
    }

    fn find(&self, selector: &str) -> String {
        self.located("css selector", selector)
    }

    /// The path of an element; the page must have it.
    fn located(&self, using: &str, value: &str) -> String {
        let found = self.call(
            Method::POST,
            "/element",
            Some(json!({ "using": using, "value": value })),
        );
        format!("/element/{}", found[ELEMENT].as_str().unwrap())
    }

    fn call(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        let answer = self.answer(method, path, body);
        assert!(answer["error"].is_null(), "{path}: {answer:#}");
        answer
    }

    fn answer(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        let mut request = self.http.request(method, format!("{}{path}", self.session));
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = self
            .runtime
            .block_on(async { request.send().await.unwrap().json::<Value>().await });
        answer.unwrap()["value"].take()
    }
}

impl Drop for Chromium<'_> {
    fn drop(&mut self) {
        // The driver ends the browser when its session ends. An error here must not hide the failure of a test.
        let ended = self.http.delete(&self.session).send();
        let _over = self.runtime.block_on(ended);
        self.driver.kill().unwrap();
        self.driver.wait().unwrap();
    }
}

/// `ChromeDriver was started successfully on port 12345.`
fn port(driver: &mut Child) -> u16 {
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let said = lines.map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    said.expect("chromedriver says where it listens")
}
