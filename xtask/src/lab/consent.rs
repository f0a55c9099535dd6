//! How an account is connected: the link, the consent at the provider, and the way back.

use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::trouble::open_id;
use crate::bench::http::{Answer, Body, Connection, Request};
use crate::bench::world::text;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{now, said};

/// How long an account is connected again where the provider is not available, as while a thousand posts are published at once.
const PATIENCE: Duration = Duration::from_secs(300);
const PAUSE: Duration = Duration::from_secs(2);

/// Connects an account by one of its connections: the link, the consent, and the way back. Answers the platform's ID. Where the provider
/// is not available, that begins anew.
///
/// `admin`: the command `playoutd admin` of the service.
///
/// # Errors
/// When any of it fails.
pub fn connect(mut admin: Command, workspace: &str, account: usize, connection: &str) -> Outcome<String> {
    admin.args([
        "platform",
        "connect",
        "--json",
        "--workspace",
        workspace,
        "--connection",
        connection,
    ]);
    let began = now();
    loop {
        let to = consent(&mut admin, account)?;
        match to.split_once("connected=") {
            Some((_, platform)) => return Ok(platform.to_owned()),
            None if to.contains("error=provider_unavailable") && began.elapsed() < PATIENCE => {
                std::thread::sleep(PAUSE);
            }
            None => return Err(Failure::new(format!("connecting led to {to}"))),
        }
    }
}

/// Where the consent to a new link leads.
fn consent(admin: &mut Command, account: usize) -> Outcome<String> {
    let link: Value = serde_json::from_str(&said(admin)?).doing("reading the link")?;
    let (address, path) = parts(&text(&link["authorizationUrl"])?)?;
    let form = format!("account={}&decision=approve", open_id(account));
    let back = sent_to(&post_form(address, &path, &form)?)?;
    let (address, path) = parts(&back)?;
    let answer = Connection::open(address, "")?.send(Request {
        method: "GET",
        path: &path,
        json: "",
    })?;
    sent_to(&answer)
}

fn post_form(address: SocketAddr, path: &str, form: &str) -> Outcome<Answer> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/x-www-form-urlencoded\r\n\
         content-length: {}\r\n",
        form.len()
    );
    Connection::open(address, "")?.send_stream(&head, &mut [Body::Text(form.to_owned())])
}

fn sent_to(answer: &Answer) -> Outcome<String> {
    let to = answer.location.clone();
    to.ok_or_else(|| Failure::new(format!("no redirect but {}: {}", answer.status, answer.text())))
}

/// The address of a URL on this machine, and its path with the query.
fn parts(url: &str) -> Outcome<(SocketAddr, String)> {
    let rest = url.strip_prefix("http://").unwrap_or(url);
    let (address, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    Ok((address.parse().doing(url)?, path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_an_address_and_a_path() {
        let (address, path) = parts("http://127.0.0.1:9100/v2/auth/authorize/?a=1").unwrap();
        assert_eq!((address.port(), path.as_str()), (9100, "/v2/auth/authorize/?a=1"));
        assert!(parts("http://example.com/").is_err());
    }
}
