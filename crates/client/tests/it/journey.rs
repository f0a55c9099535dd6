//! From nothing to a published post: a person in Chromium and at a terminal.
//!
//! What they saw is kept in `target/journey`: pictures of the pages, and everything that was on the terminal.

use std::path::PathBuf;

use crate::harness::{Chromium, Place, Playout, Terminal};

const EMAIL: &str = "ada@example.org";
const PASSWORD: &str = "correct horse battery";

/// Where what they saw is kept.
struct Album {
    folder: PathBuf,
    terminal: String,
}

impl Album {
    fn new() -> Self {
        let folder = PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/../journey"));
        std::fs::create_dir_all(&folder).unwrap();
        Self {
            folder,
            terminal: String::new(),
        }
    }

    fn picture(&self, browser: &Chromium<'_>, name: &str) {
        browser.picture(&self.folder.join(format!("{name}.png")));
    }

    /// Runs a command to its end on a terminal; it must work.
    fn run(&mut self, playout: &Playout, arguments: &[&str]) -> String {
        let terminal = Terminal::start(playout, arguments);
        self.keep(arguments, terminal)
    }

    fn keep(&mut self, arguments: &[&str], terminal: Terminal) -> String {
        let (code, shown) = terminal.end();
        self.terminal
            .push_str(&format!("$ playout {}\n{shown}\n", arguments.join(" ")));
        std::fs::write(self.folder.join("terminal.txt"), &self.terminal).unwrap();
        assert_eq!(code, 0, "{shown}");
        shown
    }
}

#[test]
fn somebody_signs_up_connects_an_account_approves_the_client_and_publishes() {
    let place = Place::start();
    let (browser, mut album) = (Chromium::start(&place.runtime), Album::new());
    sign_up(&place, &browser, &album);
    connect(&place, &browser, &album);
    let playout = Playout::new()
        .env("PLAYOUT_API_URL", &place.url)
        .env("BROWSER", "true");
    log_in(&browser, &playout, &mut album);
    let shown = album.run(&playout, &["media", "upload", "clip.mp4"]);
    assert!(
        shown.contains('█') && shown.contains("READY"),
        "a bar, and what came of it: {shown:?}"
    );
    publish(&place, &browser, &playout, &mut album);
}

fn sign_up(place: &Place, browser: &Chromium<'_>, album: &Album) {
    browser.open(&format!("{}/sign-up", place.url));
    album.picture(browser, "1-sign-up");
    browser.fill("email", EMAIL);
    browser.fill("password", PASSWORD);
    browser.press("Sign up");
    browser.wait_for(EMAIL);
    assert_eq!(browser.address(), format!("{}/accounts", place.url));
    album.picture(browser, "2-no-accounts");
}

fn connect(place: &Place, browser: &Chromium<'_>, album: &Album) {
    browser.open(&format!("{}/accounts/connect", place.url));
    album.picture(browser, "3-connect");
    browser.press_at("main form button");
    browser.wait_for("Approve");
    let at_provider = browser.address();
    assert!(at_provider.starts_with(&place.sim.url()), "{at_provider}");
    album.picture(browser, "4-provider");
    browser.press("Approve");
    browser.wait_for("is connected.");
    browser.wait_for("kitestudio");
    let back = browser.address();
    assert!(back.starts_with(&format!("{}/accounts", place.url)), "{back}");
    album.picture(browser, "5-connected");
}

fn log_in(browser: &Chromium<'_>, playout: &Playout, album: &mut Album) {
    let arguments = ["auth", "login"];
    let terminal = Terminal::start(playout, &arguments);
    let shown = terminal.wait_for("approve the code");
    let words = shown.split_whitespace().map(console::strip_ansi_codes);
    let words: Vec<_> = words.collect();
    let page = words.iter().find(|word| word.ends_with("/device")).unwrap();
    let code = words.iter().find(|word| word.starts_with("SVC-")).unwrap();
    browser.open(page);
    browser.fill("user_code", code);
    album.picture(browser, "6-code");
    browser.press_at("main form button");
    album.picture(browser, "7-approve");
    browser.press("Approve");
    let shown = album.keep(&arguments, terminal);
    album.picture(browser, "8-approved");
    assert!(shown.contains("Signed in"), "{shown}");
}

fn publish(place: &Place, browser: &Chromium<'_>, playout: &Playout, album: &mut Album) {
    let create = [
        "posts",
        "create",
        "--platform",
        "kitestudio",
        "--caption",
        "First flight",
        "--media",
        "clip.mp4",
        "--setting",
        "privacy_level=PUBLIC_TO_EVERYONE",
        "--now",
        "--wait",
    ];
    let shown = album.run(playout, &create);
    assert!(shown.contains("PUBLISHED"), "{shown}");
    browser.open(&format!("{}/@kitestudio", place.sim.url()));
    browser.wait_for("First flight");
    album.picture(browser, "9-published");
}
