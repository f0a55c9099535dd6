//! `webhooks`: those of the service, and its events on this machine.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::harness::{Events, Inbox, Ran, Script, Terminal, World, event};

/// The documents that were printed, one a line.
fn lines(ran: &Ran) -> Vec<Value> {
    let lines = ran.stdout.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_webhook_is_created_triggered_and_deleted() {
    let world = World::with_local_webhooks();
    let (playout, inbox) = (world.playout(), Inbox::open(204));
    let create = [
        "webhooks",
        "create",
        &inbox.url,
        "--events",
        "post.published,post.failed",
    ];
    let made = playout.run(&create).ok();
    assert_eq!(made["events"], json!(["post.published", "post.failed"]));
    assert!(made["secret"].as_str().unwrap().starts_with("whsec_"), "{made}");
    let list = playout.run(&["webhooks", "list"]).ok();
    assert_eq!(list["webhooks"][0]["url"], inbox.url.as_str());
    let sent = playout.run(&["webhooks", "trigger", &inbox.url]).ok();
    assert_eq!(
        (&sent["state"], &sent["responseStatus"]),
        (&json!("delivered"), &json!(204))
    );
    assert_eq!(inbox.next().json()["type"], "webhook.test");
    let id = made["id"].as_str().unwrap();
    playout.run(&["webhooks:delete", id]).ok();
    assert_eq!(playout.run(&["webhooks", "list"]).ok()["webhooks"], json!([]));
    playout
        .run(&["webhooks", "trigger", &inbox.url])
        .failed(1, "webhook_not_found");
}

#[test]
fn a_test_event_that_is_refused_ends_with_1() {
    let world = World::with_local_webhooks();
    let (playout, inbox) = (world.playout(), Inbox::open(500));
    playout
        .run(&["webhooks", "create", &inbox.url, "--events", "post.failed"])
        .ok();
    let ran = playout.run(&["webhooks", "trigger", &inbox.url]);
    let error = ran.failed(1, "not_delivered");
    assert!(error["message"].as_str().unwrap().contains("500"), "{error}");
    assert_eq!(ran.json()["responseStatus"], 500);
}

#[test]
fn listening_goes_on_after_a_cut_where_it_was() {
    let scripts = vec![
        Script::Refuse(503, "unavailable"),
        Script::Cut(format!(
            ": hello\n\n{}: alive\n",
            event("e1", "post.created", "p1")
        )),
        Script::Refuse(500, "internal_error"),
        Script::Cut(String::new()),
        // What was received before the cut comes again.
        Script::Stay(format!(
            "{}{}{}",
            event("e1 e1", "post.created", "p1"),
            event("e2", "post.published", "p1"),
            event("e3", "post.failed", "p2")
        )),
    ];
    let events = Events::open(scripts);
    let listen = [
        "webhooks",
        "listen",
        "--events",
        "post.created,post.published",
        "--limit",
        "2",
    ];
    let ran = events.playout().run(&listen);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran:#?}");
    let seen: Vec<Value> = lines(&ran).iter().map(|line| line["id"].clone()).collect();
    assert_eq!(seen, ["e1", "e2"]);
    assert_eq!(
        lines(&ran)[0],
        json!({ "id": "e1", "type": "post.created", "timestamp": "2026-11-20T12:00:05.000Z", "data": { "id": "p1", "content": "Kïtes" } })
    );
    let query = Some("event=post.created&event=post.published".to_owned());
    let after = |id: Option<&str>| (query.clone(), id.map(str::to_owned));
    let expected = [None, None, Some("e1"), Some("e1"), Some("e1")].map(after);
    assert_eq!(events.connections(), expected);
}

#[test]
fn the_event_after_which_listening_begins_is_not_printed_again() {
    let again = ["e0", "e1", "e2", "e3"].map(|id| event(id, "post.created", "p1"));
    for (after, expected) in [("e1", ["e0", "e2"]), ("e1 e2", ["e0", "e3"])] {
        let events = Events::open(vec![Script::Stay(again.concat())]);
        let listen = ["webhooks", "listen", "--limit", "2", "--after", after];
        let ran = events.playout().run(&listen);
        let seen: Vec<Value> = lines(&ran).iter().map(|line| line["id"].clone()).collect();
        assert_eq!(seen, expected, "one before it may have become visible later");
        assert_eq!(events.connections(), [(None, Some(after.to_owned()))]);
    }
}

#[test]
fn an_event_is_delivered_as_a_webhook_is_and_signed_with_the_secret_that_is_printed() {
    let events = Events::open(vec![Script::Stay(event("e1", "post.published", "p1"))]);
    let inbox = Inbox::open(202);
    let address = inbox.url.trim_start_matches("http://");
    let listen = ["webhooks", "listen", "--forward-to", address, "--limit", "1"];
    let ran = events.playout().run(&listen);
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert_eq!(
        lines(&ran)[0]["delivery"],
        json!({ "responseStatus": 202, "problem": null })
    );
    let said: Value = serde_json::from_str(&ran.stderr).unwrap();
    let secret = said["listening"]["secret"].as_str().unwrap();
    let delivery = inbox.next();
    assert_eq!(delivery.header("webhook-id"), "e1");
    assert_eq!(delivery.header("content-type"), "application/json");
    assert!(
        !delivery.headers.contains_key("authorization"),
        "the key stays here"
    );
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key).unwrap();
    mac.update(format!("e1.{}.", delivery.header("webhook-timestamp")).as_bytes());
    mac.update(&delivery.body);
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    assert_eq!(delivery.header("webhook-signature"), expected);
    assert_eq!(delivery.json()["data"]["content"], "Kïtes");
}

#[test]
fn an_address_that_does_not_respond_is_reported_and_listening_goes_on() {
    let both = format!(
        "{}{}",
        event("e1", "post.published", "p1"),
        event("e2", "post.failed", "p2")
    );
    let events = Events::open(vec![Script::Stay(both)]);
    let listen = [
        "webhooks",
        "listen",
        "--forward-to",
        "http://127.0.0.1:1/hook",
        "--limit",
        "2",
    ];
    let secret = [
        "--secret",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "--json=id,delivery.problem",
    ];
    let ran = events.playout().run(&[&listen[..], &secret].concat());
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert!(ran.stderr.contains(secret[1]), "{ran:#?}");
    for (line, id) in lines(&ran).iter().zip(["e1", "e2"]) {
        assert_eq!(line["id"], id);
        assert!(
            line["delivery.problem"].as_str().unwrap().contains("127.0.0.1:1"),
            "{line}"
        );
    }
}

#[test]
fn a_program_of_jq_chooses_events_and_what_is_printed_of_them() {
    let both = format!(
        "{}{}",
        event("e1", "post.published", "p1"),
        event("e2", "post.failed", "p2")
    );
    let events = Events::open(vec![Script::Stay(both)]);
    let program = "select(.type == \"post.failed\") | .id";
    let listen = ["webhooks", "listen", "--limit", "2", "--jq"];
    let ran = events.playout().run(&[&listen[..], &[program]].concat());
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "e2\n"), "{ran:#?}");
}

#[test]
fn an_event_that_the_filter_does_not_fit_is_reported_and_listening_goes_on() {
    let both = format!(
        "{}{}",
        event("e1", "post.published", "p1"),
        event("e2", "post.failed", "p2")
    );
    let program = "if .id == \"e1\" then error(\"no\") else .id end";
    for (filter, printed) in [
        (["--jq", program], "e2\n"),
        (["--json=nothing", "--json=nothing"], ""),
    ] {
        let events = Events::open(vec![Script::Stay(both.clone())]);
        let filter = if filter[0] == filter[1] {
            &filter[..1]
        } else {
            &filter[..]
        };
        let ran = events
            .playout()
            .run(&[&["webhooks", "listen", "--limit", "2"], filter].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (0, printed), "{ran:#?}");
        let line = ran
            .stderr
            .lines()
            .find(|line| line.contains("The details have the output"))
            .unwrap();
        let error: Value = serde_json::from_str(line).unwrap();
        assert_eq!(error["error"]["details"]["id"], "e1");
    }
}

#[test]
fn what_cannot_be_listened_to_ends_the_program() {
    let refused = Events::open(vec![Script::Refuse(401, "invalid_api_key")]);
    refused
        .playout()
        .run(&["webhooks", "listen"])
        .failed(3, "invalid_api_key");
    let playout = refused.playout();
    playout
        .run(&["webhooks", "listen", "--forward-to", "ftp://localhost"])
        .failed(2, "usage");
    playout
        .run(&[
            "webhooks",
            "listen",
            "--forward-to",
            "localhost",
            "--secret",
            "short",
        ])
        .failed(2, "usage");
}

#[test]
fn a_person_sees_a_line_for_each_event_and_how_to_go_on() {
    let events = Events::open(vec![Script::Stay(event("e1", "post.published", "p1"))]);
    let inbox = Inbox::open(200);
    let arguments = ["webhooks", "listen", "--forward-to", &inbox.url];
    let mut terminal = Terminal::start(&events.playout(), &arguments);
    let shown = terminal.wait_for("post.published  p1");
    assert!(shown.contains("whsec_"), "{shown}");
    inbox.next();
    terminal.wait_for("200");
    terminal.press_ctrl_c();
    let (code, shown) = terminal.end();
    assert_eq!(code, 130, "{shown}");
    assert!(shown.contains("1 event was read"), "{shown}");
    assert!(shown.contains("--after e1"), "{shown}");
}
