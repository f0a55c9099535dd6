//! Drafts: to the inbox, and published from it by the creator.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Host, World, jpeg, mp4, photo_body};

async fn send_draft(world: &World) -> String {
    let bytes = mp4(1_000);
    let size = bytes.len();
    let source =
        json!({ "source": "FILE_UPLOAD", "video_size": size, "chunk_size": size, "total_chunk_count": 1 });
    let body = json!({ "post_info": { "title": 7 }, "source_info": source });
    let data = world
        .post("/v2/post/publish/inbox/video/init/", body)
        .await
        .data();
    world
        .put(data["upload_url"].as_str().unwrap(), 0..size, size, bytes)
        .await;
    data["publish_id"].as_str().unwrap().to_owned()
}

fn photo_draft(urls: &[String]) -> Value {
    let mut body = photo_body(urls);
    body["post_mode"] = "MEDIA_UPLOAD".into();
    body
}

#[tokio::test]
async fn a_draft_waits_in_the_inbox_until_the_creator_posts_it() {
    let world = World::start().await;
    let publish_id = send_draft(&world).await;
    assert!(publish_id.starts_with("v_inbox_file~"));
    assert_eq!(
        world.status(&publish_id).await,
        json!({ "status": "SEND_TO_USER_INBOX" })
    );
    assert!(world.sim.publications().is_empty());
    assert_eq!(world.sim.inbox_deliveries()[0].publish_id, publish_id);
    assert!(
        world
            .sim
            .finish_draft(&publish_id, Some("My own words"), "PUBLIC_TO_EVERYONE")
    );
    let post = world.sim.publications().remove(0);
    assert_eq!(post.caption, "My own words");
    let status = world.status(&publish_id).await;
    assert_eq!(status["publicaly_available_post_id"][0].to_string(), post.post_id);
    assert!(
        !world.sim.finish_draft(&publish_id, None, "PUBLIC_TO_EVERYONE"),
        "a draft is posted once"
    );
    assert!(world.sim.inbox_deliveries()[0].posted_at.is_some());
}

#[tokio::test]
async fn five_drafts_may_wait_in_24_hours() {
    let world = World::start().await;
    world
        .sim
        .change_account(&world.open_id, |account| account.pending_shares = 3);
    let first = send_draft(&world).await;
    send_draft(&world).await;
    let source =
        json!({ "source": "FILE_UPLOAD", "video_size": 100, "chunk_size": 100, "total_chunk_count": 1 });
    let path = "/v2/post/publish/inbox/video/init/";
    let refused = world.post(path, json!({ "source_info": source })).await;
    assert_eq!(
        refused.outcome(),
        (403, "spam_risk_too_many_pending_share".to_owned())
    );
    world.sim.finish_draft(&first, None, "SELF_ONLY");
    assert_eq!(
        world.post(path, json!({ "source_info": source })).await.code(),
        "ok"
    );
}

#[tokio::test]
async fn drafts_know_no_audit_and_no_cap_of_posts() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.audited = false);
    world
        .sim
        .change_account(&world.open_id, |account| account.post_cap = Some(0));
    send_draft(&world).await;
    assert_eq!(world.sim.inbox_deliveries().len(), 1);
}

#[tokio::test]
async fn photo_drafts_keep_their_text_and_need_a_new_app() {
    let (world, host) = (World::start().await, Host::start().await);
    let body = photo_draft(&[host.file("/a.jpg", "image/jpeg", jpeg(1080, 1920))]);
    world.sim.change_account(&world.open_id, |account| {
        account.app_version = "31.7.9".to_owned()
    });
    let old = world.post("/v2/post/publish/content/init/", body.clone()).await;
    assert_eq!(old.outcome(), (400, "app_version_check_failed".to_owned()));
    world.sim.change_account(&world.open_id, |account| {
        account.app_version = "31.8.0".to_owned()
    });
    let upload_only = world.sim.grant(&world.open_id, &["video.upload"]).access_token;
    let path = "/v2/post/publish/content/init/";
    let init = world.send_as(&upload_only, Method::POST, path, Some(body)).await;
    assert_eq!(init.code(), "ok", "{}", init.text);
    world.sim.idle().await;
    let draft = world.sim.inbox_deliveries().remove(0);
    assert_eq!(
        (draft.title.as_str(), draft.description.as_str()),
        ("Kite day", "Twelve knots #kites")
    );
}
