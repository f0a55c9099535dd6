//! What people do: the creator posts the drafts from the inbox; the owner of an account reconnects it.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::posts::{self, Post};
use super::stage::Stage;
use super::trouble::open_id;
use crate::bench::http::{Answer, Body, Connection, Request};
use crate::bench::simulator::Control;
use crate::bench::world::text;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::said;

/// How often the creator looks into the inbox.
const LOOK_EVERY: Duration = Duration::from_millis(400);

/// Posts whatever arrives in an inbox, until `stop` is set.
///
/// # Errors
/// When the simulator does not answer.
pub fn post_drafts(mut simulator: Control, posts: &[Post], stop: &AtomicBool) -> Outcome<()> {
    while !stop.load(Ordering::Relaxed) {
        thread::sleep(LOOK_EVERY);
        let inbox = simulator.ask("GET", "/sim/inbox", &Value::Null)?;
        for draft in inbox
            .as_array()
            .into_iter()
            .flatten()
            .filter(|draft| draft["postedAt"].is_null())
        {
            let caption =
                posts::of_draft(draft, posts).map_or_else(String::new, |number| posts[number].caption());
            let path = format!("/sim/inbox/{}/finish", text(&draft["publishId"])?);
            simulator.ask("POST", &path, &json!({ "caption": caption }))?;
        }
    }
    Ok(())
}

/// Connects an account again, which is not connected as a business: those never lose their tokens.
///
/// # Errors
/// As [`connect`].
pub fn reconnect(stage: &Stage, account: usize) -> Outcome<()> {
    connect(stage, account, "creator").map(drop)
}

/// Connects an account by one of its connections: the link, the consent, and the way back. Answers the platform's ID.
///
/// # Errors
/// When any of it fails.
pub fn connect(stage: &Stage, account: usize, connection: &str) -> Outcome<String> {
    let mut command = stage.command("admin", stage.proxy.address);
    command.args([
        "platform",
        "connect",
        "--json",
        "--workspace",
        &stage.seeded.workspace,
        "--connection",
        connection,
    ]);
    let link: Value = serde_json::from_str(&said(&mut command)?).doing("reading the link")?;
    let (address, path) = parts(&text(&link["authorizationUrl"])?)?;
    let form = format!("account={}&decision=approve", open_id(account));
    let back = sent_to(&post_form(address, &path, &form)?)?;
    let (address, path) = parts(&back)?;
    let answer = Connection::open(address, "")?.send(Request {
        method: "GET",
        path: &path,
        json: "",
    })?;
    let to = sent_to(&answer)?;
    let platform = to
        .split_once("connected=")
        .map(|(_, platform)| platform.to_owned());
    platform.ok_or_else(|| Failure::new(format!("connecting led to {to}")))
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
