//! Deliveries to webhooks: the process dies between the event and the response, and the receiver still gets the event.

use serde_json::{Value, json};

use super::scene::Scene;
use crate::harness::{Db, Receiver, eventually, jpeg};

/// Where it dies, and how often the receiver is called until all is well.
pub(super) const POINTS: [&str; 2] = ["webhooks.before_send", "webhooks.after_send"];

const CALLS: [usize; 2] = [1, 2];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_reaches_the_webhook_although_the_process_dies_on_sqlite() {
    none_is_lost(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_reaches_the_webhook_although_the_process_dies_on_postgres() {
    none_is_lost(Db::Postgres).await;
}

async fn none_is_lost(db: Db) {
    let scene = Scene::set(db, &[("PLAYOUT_EGRESS_ALLOW", "127.0.0.1")]).await;
    let receiver = Receiver::start().await;
    let mut api = scene.serve_api(&[]).await;
    let body = json!({ "url": receiver.url, "events": ["media.ready"] });
    let hook = scene.api.post("/public/v1/webhooks", &body).await.ok();
    for (point, calls) in POINTS.into_iter().zip(CALLS) {
        // The event is stored, and no process runs that sends it.
        let photo = jpeg(300, 200);
        let media = scene
            .api
            .upload_form("a.jpg", "image/jpeg", &photo, &[])
            .await
            .ok();
        api.kill();
        scene.die_at(point).await;
        let process = scene.serve().await;
        receiver.is_called_times(calls).await;
        let received = receiver.received();
        assert_eq!(received.len(), calls, "{point}: {received:#?}");
        for one in &received {
            assert_eq!(one.json()["data"], media, "{point}");
            assert_eq!(
                one.header("webhook-id"),
                received[0].header("webhook-id"),
                "{point}"
            );
            assert!(one.is_signed_with(hook["secret"].as_str().unwrap()));
        }
        is_delivered(&scene, &hook).await;
        drop(process);
        api = scene.serve_api(&[]).await;
    }
}

/// Waits until the latest delivery is known to be taken.
async fn is_delivered(scene: &Scene, hook: &Value) {
    let path = format!(
        "/public/v1/webhooks/{}/deliveries?limit=1",
        hook["id"].as_str().unwrap()
    );
    eventually("the delivery is taken", async || {
        scene.api.get(&path).await.ok()["deliveries"][0]["state"] == "delivered"
    })
    .await;
}
