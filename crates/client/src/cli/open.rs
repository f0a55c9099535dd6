//! `open`: pages in the browser.

use std::process::{Command, Stdio};

use playout_client::{Error, Kind};
use serde_json::json;
use url::Url;

use super::environment::Environment;
use super::report::{Outcome, Report};
use super::session::Session;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  playout open\n  playout open --print\n  playout open 0196f3a0-7c1e-7d3a-9b5e-000000000002 --print"
)]
pub(super) struct Wanted {
    /// A published post; without one, the service's reference is shown.
    post: Option<String>,
    /// Print the address only.
    #[arg(long)]
    print: bool,
}

pub(super) async fn run(wanted: Wanted, session: &Session) -> Outcome {
    let url = match &wanted.post {
        Some(post) => post_page(session, post).await?,
        None => format!("{}/docs", session.access.url.as_str().trim_end_matches('/')),
    };
    // The service's response is passed to a program: only http and https pages are accepted.
    let page = Url::parse(&url)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"));
    let page = page.ok_or_else(|| Error::unexpected("The service returned an invalid address of a page."))?;
    let opened = !wanted.print && browse(&session.environment, &page);
    let json = json!({ "url": page.as_str(), "opened": opened });
    Ok(Report::new(json, page.as_str()))
}

async fn post_page(session: &Session, post: &str) -> Result<String, Error> {
    let root = session.api()?.post_group(post).await?.value.root;
    root.release_url.ok_or_else(|| {
        let message = match root.state.as_str() {
            "PUBLISHED" => "The post is published, but has no public page: it is private, or the provider has not reported its address yet.".to_owned(),
            state => format!("The post is not published: it is in {state}."),
        };
        Error::new(Kind::Refused, "no_public_page", message)
    })
}

/// Opens a page in the browser; returns whether there is one.
pub(super) fn browse(environment: &Environment, page: &Url) -> bool {
    let mut programs: Vec<(&str, &[&str])> = Vec::new();
    if let Some(browser) = &environment.browser {
        programs.push((browser, &[]));
    }
    match std::env::consts::OS {
        "macos" => programs.push(("open", &[])),
        "windows" => programs.push(("rundll32", &["url.dll,FileProtocolHandler"])),
        _ => programs.push(("xdg-open", &[])),
    }
    programs.into_iter().any(|(program, arguments)| {
        let mut command = Command::new(program);
        command.args(arguments).arg(page.as_str());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.spawn().is_ok()
    })
}
