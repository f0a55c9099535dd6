//! The pages that people see.

use crate::harness::{World, mp4};

#[tokio::test]
async fn a_profile_and_a_permalink_show_the_post_with_its_text_escaped() {
    let world = World::start().await;
    world.publish("<script>alert(1)</script> kites").await;
    let post = world.sim.publications().remove(0);
    for path in ["/@kitestudio".to_owned(), post.path()] {
        let page = world.get(&path).await;
        assert_eq!(page.status, 200);
        assert!(
            page.text.contains("&lt;script&gt;alert(1)&lt;/script&gt; kites"),
            "{path}"
        );
        assert!(!page.text.contains("<script>alert"), "{path}");
        assert!(
            page.text.contains(&format!("/sim/media/{}", post.media[0].id)),
            "{path}"
        );
    }
    assert!(world.get("/").await.text.contains("@kitestudio"));
}

#[tokio::test]
async fn no_page_asks_another_host_for_anything() {
    let world = World::start().await;
    world.publish("here").await;
    for path in ["/", "/@kitestudio", "/messages", "/messages/kitestudio"] {
        let page = world.get(path).await.text;
        assert!(
            !page.contains("https://") && !page.contains("src=\"http") && !page.contains("href=\"http"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn what_does_not_exist_is_a_page_with_200() {
    let world = World::start().await;
    world.publish("a video").await;
    let id = world.sim.publications()[0].post_id.clone();
    for path in [
        "/@nobody",
        "/@kitestudio/video/1",
        "/@harborbakes/video/ID",
        "/@kitestudio/photo/ID",
    ] {
        let page = world.get(&path.replace("ID", &id)).await;
        assert_eq!(page.status, 200);
        assert!(page.text.contains("10204"), "{path}");
    }
    assert!(world.sim.misunderstood().is_empty());
}

#[tokio::test]
async fn media_are_served_whole_and_in_parts() {
    let world = World::start().await;
    world.publish("bytes").await;
    let id = world.sim.publications()[0].media[0].id.clone();
    let url = format!("{}/sim/media/{id}", world.sim.url());
    let whole = world.http.get(&url).send().await.unwrap();
    assert_eq!(whole.headers()["content-type"], "video/mp4");
    assert_eq!(whole.bytes().await.unwrap(), mp4(1_000));
    let part = world
        .http
        .get(&url)
        .header("range", "bytes=4-7")
        .send()
        .await
        .unwrap();
    assert_eq!(part.status(), 206);
    assert_eq!(
        part.headers()["content-range"],
        format!("bytes 4-7/{}", mp4(1_000).len())
    );
    assert_eq!(part.bytes().await.unwrap(), "ftyp");
    let beyond = world
        .http
        .get(&url)
        .header("range", "bytes=99999-")
        .send()
        .await
        .unwrap();
    assert_eq!(beyond.status(), 416);
    assert_eq!(world.get("/sim/media/none").await.status, 404);
}

#[tokio::test]
async fn a_draft_is_posted_from_the_inbox_page() {
    let world = World::start().await;
    let bytes = mp4(1_000);
    let size = bytes.len();
    let source = serde_json::json!({ "source": "FILE_UPLOAD", "video_size": size, "chunk_size": size, "total_chunk_count": 1 });
    let init = world
        .post(
            "/v2/post/publish/inbox/video/init/",
            serde_json::json!({ "source_info": source }),
        )
        .await
        .data();
    world
        .put(init["upload_url"].as_str().unwrap(), 0..size, size, bytes)
        .await;
    let publish_id = init["publish_id"].as_str().unwrap();
    assert!(world.get("/messages/kitestudio").await.text.contains(publish_id));
    let form = [
        ("publish_id", publish_id),
        ("caption", "From the page"),
        ("privacy_level", "PUBLIC_TO_EVERYONE"),
    ];
    let posted = world.form("/messages/kitestudio", &form).await;
    assert_eq!(
        (posted.status, posted.header("location").as_str()),
        (303, "/@kitestudio")
    );
    assert_eq!(world.sim.publications()[0].caption, "From the page");
    assert_eq!(world.form("/messages/kitestudio", &form).await.status, 404);
}
