//! Publications from before the simulator was started, which a test adds.

use std::time::Duration;

use bytes::Bytes;
use playout_domain::time::Clock;
use playout_tiktok::sim::{Account, Kind, Past, PostInfo};
use serde_json::json;

use crate::harness::{World, jpeg, mp4};

fn past(world: &World, publish_id: &str, post_id: Option<&str>) -> Past {
    Past {
        open_id: world.open_id.clone(),
        publish_id: publish_id.to_owned(),
        post_id: post_id.map(str::to_owned),
        kind: Kind::Photo,
        info: PostInfo {
            title: "Last week".to_owned(),
            description: "Over <the> sea".to_owned(),
            privacy_level: "PUBLIC_TO_EVERYONE".to_owned(),
            ..PostInfo::default()
        },
        media: vec![Bytes::from(jpeg(720, 1280)), Bytes::from(jpeg(1080, 1080))],
        at: world.clock.now().minus(Duration::from_secs(7 * 86_400)),
    }
}

#[tokio::test]
async fn a_post_from_before_has_its_page_its_pictures_and_its_status() {
    let world = World::start().await;
    let known = past(&world, "p_pub_url~v2.1", Some("7600000000000000001"));
    assert!(world.sim.remember(&known).unwrap());
    let page = world.get("/@kitestudio/photo/7600000000000000001").await.text;
    assert!(page.contains("Over &lt;the&gt; sea"), "{page}");
    assert!(world.get("/@kitestudio").await.text.contains("Last week"));
    let post = world.sim.publications().remove(0);
    assert_eq!((post.media[0].width, post.media[1].width), (720, 1080));
    let picture = world.get(&format!("/sim/media/{}", post.media[0].id)).await;
    assert_eq!(
        (picture.status, picture.header("content-type").as_str()),
        (200, "image/jpeg")
    );
    let status = world.status("p_pub_url~v2.1").await;
    assert_eq!(status["status"], "PUBLISH_COMPLETE");
    assert_eq!(world.sim.webhooks().len(), 0, "nobody is told of what they know");
}

#[tokio::test]
async fn what_is_known_is_not_entered_again_and_strangers_have_no_past() {
    let world = World::start().await;
    let known = past(&world, "p_pub_url~v2.1", Some("7600000000000000001"));
    assert!(world.sim.remember(&known).unwrap());
    assert!(!world.sim.remember(&known).unwrap());
    let stranger = Past {
        open_id: Account::new("newcomer").open_id,
        ..past(&world, "p_pub_url~v2.2", Some("7600000000000000002"))
    };
    assert!(!world.sim.remember(&stranger).unwrap());
    assert_eq!(world.sim.publication_count(), 1);
}

#[tokio::test]
async fn a_draft_from_before_waits_in_the_inbox_and_can_be_posted_once() {
    let world = World::start().await;
    let draft = Past {
        kind: Kind::Video,
        media: vec![Bytes::from(mp4(6_000))],
        ..past(&world, "v_inbox_file~v2.1", None)
    };
    assert!(world.sim.remember(&draft).unwrap());
    assert!(
        world
            .get("/messages/kitestudio")
            .await
            .text
            .contains("v_inbox_file~v2.1")
    );
    assert_eq!(
        world.status("v_inbox_file~v2.1").await["status"],
        "SEND_TO_USER_INBOX"
    );
    let finish = json!({ "caption": "At last", "privacyLevel": "PUBLIC_TO_EVERYONE" });
    let path = "/sim/inbox/v_inbox_file~v2.1/finish";
    assert_eq!(world.post(path, finish.clone()).await.status, 200);
    assert_ne!(world.post(path, finish).await.status, 200);
    assert_eq!(world.sim.publications()[0].caption, "At last");
}
