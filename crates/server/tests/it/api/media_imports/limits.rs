//! How much is imported at once and in all, and what one import leaves to others.

use std::time::Duration;

use playout_domain::media::MAX_UNFINISHED_UPLOADS;
use serde_json::{Value, json};

use super::{IMPORT, failed, import, media, ready, start, used, whole};
use crate::harness::{CLIP, Db, FileServer, Options, Sends, TestApp, eventually, jpeg, on_both, padded};

on_both!(
    a_plan_limits_size_and_storage,
    unfinished_imports_have_a_limit,
    a_workspace_with_many_imports_delays_no_other,
    addresses_that_fail_delay_no_other_import_of_their_workspace,
    an_address_that_does_not_answer_gives_up_its_place_after_ten_seconds,
);

async fn a_plan_limits_size_and_storage(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let small = "[plans.unlimited]\n[plans.small]\nstorage_bytes = 3000000\nmax_video_bytes = 2000000\n";
    std::fs::write(&plans, small).unwrap();
    let options = Options::default()
        .plan("small")
        .set("plans_file", plans.path().to_str().unwrap())
        .set("egress_allow", "127.0.0.1");
    let (t, server) = (TestApp::start_with(db, options).await, FileServer::start().await);
    for chunked in [false, true] {
        server.will([Sends { chunked, ..whole() }]);
        let id = import(&t, &server.put("/large.mp4", padded(2_000_001), "\"1\"")).await;
        failed(&t, &id, "media_too_large").await;
    }
    let film = padded(2_000_000);
    let id = import(&t, &server.put("/kite.mp4", film.clone(), "\"1\"")).await;
    ready(&t, &id, &film).await;
    for chunked in [false, true] {
        server.will([Sends { chunked, ..whole() }]);
        let id = import(&t, &server.put("/more.mp4", padded(1_000_001), "\"1\"")).await;
        failed(&t, &id, "storage_limit_reached").await;
    }
    assert_eq!(used(&t).await, 2_000_000);
    // What is left is enough, although less than is reserved at a time.
    let last = padded(1_000_000);
    server.will([Sends {
        chunked: true,
        ..whole()
    }]);
    let id = import(&t, &server.put("/last.mp4", last.clone(), "\"1\"")).await;
    ready(&t, &id, &last).await;
    assert_eq!(used(&t).await, 3_000_000);
}

async fn unfinished_imports_have_a_limit(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("egress_allow", "127.0.0.1")).await;
    // It takes connections and never answers.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/kite.mp4", silent.local_addr().unwrap());
    for _ in 0..MAX_UNFINISHED_UPLOADS {
        import(&t, &url).await;
    }
    let refused = t.api.post(IMPORT, &json!({ "url": url })).await;
    refused.refused(409, "count_limit_reached");
    let message = refused.json()["message"].take();
    assert!(
        message
            .as_str()
            .unwrap()
            .contains("unfinished uploads and imports"),
        "{message}"
    );
}

async fn a_workspace_with_many_imports_delays_no_other(db: Db) {
    let (t, server) = start(db).await;
    server.will((0..2).map(|_| Sends {
        hangs: true,
        ..whole()
    }));
    // The first waits for all others once its address has not answered: twenty videos, each with a poster, would take long.
    let photo = jpeg(64, 48);
    let url = server.put("/kite.jpg", photo.clone(), "\"1\"");
    let mut own = Vec::new();
    for _ in 0..20 {
        own.push(import(&t, &url).await);
    }
    eventually("two are asked for", async || server.asked().len() == 2).await;
    let stranger = t.stranger().await;
    let begun = stranger.post(IMPORT, &json!({ "url": url })).await.json();
    let path = format!("/public/v1/media/{}", begun["id"].as_str().unwrap());
    eventually("the other's is ready", async || {
        stranger.get(&path).await.ok()["status"] == "READY"
    })
    .await;
    assert_eq!(server.asked().len(), 3);
    for id in own {
        ready(&t, &id, &photo).await;
    }
}

async fn addresses_that_fail_delay_no_other_import_of_their_workspace(db: Db) {
    let (t, server) = start(db).await;
    let mut dead = Vec::new();
    for _ in 0..6 {
        dead.push(import(&t, "http://127.0.0.1:9/kite.mp4").await);
    }
    let id = import(&t, &server.put("/kite.mp4", CLIP, "\"1\"")).await;
    ready(&t, &id, CLIP).await;
    for id in &dead {
        assert_eq!(media(&t, id).await["failure"], Value::Null, "it is tried longer");
    }
    for id in dead {
        let problem = failed(&t, &id, "import_failed").await;
        assert!(problem.ends_with("It was tried for 10 minutes."), "{problem}");
    }
}

async fn an_address_that_does_not_answer_gives_up_its_place_after_ten_seconds(db: Db) {
    let (t, server) = start(db).await;
    server.will((0..2).map(|_| Sends {
        hangs: true,
        ..whole()
    }));
    let url = server.put("/kite.mp4", CLIP, "\"1\"");
    for _ in 0..2 {
        import(&t, &url).await;
    }
    eventually("two are asked for", async || server.asked().len() == 2).await;
    let id = import(&t, &url).await;
    t.clock.advance(Duration::from_secs(10));
    eventually("another is fetched", async || {
        media(&t, &id).await["status"] == "READY"
    })
    .await;
}
