//! Querying the status of a submission, and searching for a post that may be out.

use playout_domain::provider::{Fate, Progress, Provider, ProviderError};
use playout_domain::time::Time;
use serde_json::json;

use crate::canned::{Answer, Canned, api_error, gateway_html, ok};
use crate::setting::{access, client_at, grant, platform};

async fn check(answer: Answer, handle: &str) -> Result<Progress, ProviderError> {
    let server = Canned::start(vec![answer]).await;
    let (client, _) = client_at(&server.url);
    let (platform, access) = (platform(), access());
    let result = client.check(grant(&platform, &access), handle).await;
    let sent = server.only();
    assert_eq!(sent.path, "/v2/post/publish/status/fetch/");
    assert_eq!(sent.json(), json!({ "publish_id": handle }));
    result
}

fn status(data: &str) -> Answer {
    ok(&format!(
        r#"{{"data":{data},"error":{{"code":"ok","message":"","log_id":"L"}}}}"#
    ))
}

#[tokio::test]
async fn a_published_post_keeps_every_digit_of_its_id_and_gets_its_page() {
    let data = r#"{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[7681234567890123457]}"#;
    for (handle, kind) in [("v_pub_file~v2-1.7", "video"), ("p_pub_url~v2.7", "photo")] {
        let expected = Progress::Published {
            release_id: Some("7681234567890123457".to_owned()),
            release_url: Some(format!(
                "http://127.0.0.1:9/@kitestudio/{kind}/7681234567890123457"
            )),
        };
        assert_eq!(check(status(data), handle).await, Ok(expected));
    }
}

#[tokio::test]
async fn a_post_whose_id_is_not_revealed_is_published_all_the_same() {
    for data in [
        r#"{"status":"PUBLISH_COMPLETE"}"#,
        r#"{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[]}"#,
    ] {
        let expected = Progress::Published {
            release_id: None,
            release_url: None,
        };
        assert_eq!(check(status(data), "v_pub_file~1").await, Ok(expected));
    }
}

#[tokio::test]
async fn states_on_the_way_are_told_apart_from_ends() {
    for (pending, received_bytes) in [
        (
            r#"{"downloaded_bytes":10062683,"status":"PROCESSING_DOWNLOAD"}"#,
            None,
        ),
        (r#"{"status":"PROCESSING_UPLOAD"}"#, None),
        (r#"{"uploaded_bytes":0,"status":"PROCESSING_UPLOAD"}"#, Some(0)),
        (r#"{"uploaded_bytes":5,"status":"PROCESSING_UPLOAD"}"#, Some(5)),
        (r#"{"uploaded_bytes":5,"status":"SOMETHING_NEW"}"#, None),
    ] {
        let expected = Progress::Pending { received_bytes };
        assert_eq!(check(status(pending), "v").await, Ok(expected), "{pending}");
    }
    let inbox = r#"{"status":"SEND_TO_USER_INBOX"}"#;
    assert_eq!(check(status(inbox), "v").await, Ok(Progress::InInbox));
    let failed = r#"{"fail_reason":"video_pull_failed","status":"FAILED"}"#;
    let Ok(Progress::Failed(error)) = check(status(failed), "v").await else {
        panic!("a failure");
    };
    assert_eq!(
        (error.fate, error.code.as_str()),
        (Fate::Repeatable, "video_pull_failed")
    );
}

#[tokio::test]
async fn a_failed_question_never_condemns_the_post() {
    for (answer, fate) in [
        // The query itself is refused: the engine goes on querying (`worker/publish/check.rs`).
        (api_error(400, "invalid_publish_id"), Fate::Rejected),
        (api_error(400, "brand_new"), Fate::Unknown),
        (api_error(500, "internal_error"), Fate::Unknown),
        (gateway_html(503), Fate::Unknown),
        (Answer::Drop, Fate::Unknown),
        (api_error(401, "access_token_invalid"), Fate::StaleToken),
        (api_error(401, "scope_not_authorized"), Fate::Reauthorize),
    ] {
        assert_eq!(check(answer, "v_pub_file~1").await.unwrap_err().fate, fate);
    }
}

fn page(videos: &[(u64, i64)], cursor: i64, has_more: bool) -> Answer {
    let videos: Vec<String> = videos
        .iter()
        .map(|(id, at)| {
            format!(
                r#"{{"id":"{id}","create_time":{at},"video_description":"Kite {id}",
                    "share_url":"https://www.tiktok.com/@kite/video/{id}?utm_source=awk1"}}"#
            )
        })
        .collect();
    ok(&format!(
        r#"{{"data":{{"videos":[{}],"cursor":{cursor},"has_more":{has_more}}},"error":{{"code":"ok"}}}}"#,
        videos.join(",")
    ))
}

#[tokio::test]
async fn recent_posts_are_listed_page_by_page_until_the_wanted_time() {
    let server = Canned::start(vec![
        page(&[(13, 3000), (12, 2000)], 2_000_000, true),
        page(&[(11, 1000), (10, 500)], 500_000, true),
    ])
    .await;
    let (client, _) = client_at(&server.url);
    let (platform, access) = (platform(), access());
    let since = Time::from_secs(1000);
    let posts = client
        .recent_posts(grant(&platform, &access), since)
        .await
        .unwrap()
        .unwrap();
    let ids: Vec<&str> = posts.posts.iter().map(|post| post.release_id.as_str()).collect();
    assert_eq!(ids, ["13", "12", "11"]);
    assert_eq!(posts.posts[0].content, "Kite 13");
    assert_eq!(
        posts.posts[0].release_url.as_deref(),
        Some("https://www.tiktok.com/@kite/video/13")
    );
    let seen = server.seen();
    assert_eq!(seen[0].json(), json!({ "max_count": 20 }));
    assert_eq!(seen[1].json(), json!({ "max_count": 20, "cursor": 2_000_000 }));
}

#[tokio::test]
async fn a_list_that_does_not_end_says_from_when_on_it_is_whole() {
    let pages = (1..=25_u8).map(|number| {
        page(
            &[(number.into(), 9000 - i64::from(number))],
            (9000 - i64::from(number)) * 1000,
            true,
        )
    });
    let server = Canned::start(pages.collect()).await;
    let (client, _) = client_at(&server.url);
    let (platform, access) = (platform(), access());
    let listed = client
        .recent_posts(grant(&platform, &access), Time::from_secs(1000))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(listed.posts.len(), 25);
    assert_eq!(listed.whole_since, Some(Time::from_secs(9000 - 25 + 1)));
    assert_eq!(server.seen().len(), 25);
}

/// From when on such a list is whole, of what came out since second 1000, and which posts it has.
async fn whole_since(pages: Vec<Answer>) -> (Option<Time>, Vec<String>) {
    let server = Canned::start(pages).await;
    let (client, _) = client_at(&server.url);
    let (platform, access) = (platform(), access());
    let listed = client
        .recent_posts(grant(&platform, &access), Time::from_secs(1000))
        .await
        .unwrap()
        .unwrap();
    let ids = listed.posts.into_iter().map(|post| post.release_id);
    (listed.whole_since, ids.collect())
}

#[tokio::test]
async fn a_list_with_pinned_posts_is_read_to_its_end() {
    let pages = vec![
        page(&[(1, 500), (13, 3000)], 3_000_000, true),
        page(&[(12, 2000), (1, 500)], 500_000, true),
        page(&[(2, 400)], 400_000, false),
    ];
    let whole = Some(Time::from_secs(1000));
    assert_eq!(
        whole_since(pages).await,
        (whole, vec!["13".to_owned(), "12".to_owned()])
    );
    let endless = (1..=25_i64).map(|number| page(&[(1, 500), (13, 3000)], number, true));
    let (whole, ids) = whole_since(endless.collect()).await;
    assert_eq!(whole, None, "newer ones may follow");
    assert_eq!(ids, ["13"], "none twice");
}

#[tokio::test]
async fn a_first_page_that_may_have_pinned_posts_alone_does_not_end_a_list() {
    let whole = Some(Time::from_secs(1000));
    for pinned in [&[(1, 500)][..], &[(2, 1500), (1, 500)][..]] {
        let mut ids = vec!["13".to_owned(), "12".to_owned()];
        if pinned.len() > 1 {
            ids.insert(0, "2".to_owned());
        }
        let pages = vec![
            page(pinned, 4_000_000, true),
            page(&[(13, 3000), (12, 2000)], 2_000_000, false),
        ];
        assert_eq!(whole_since(pages).await, (whole, ids));
        let breaks_off = vec![page(pinned, 4_000_000, true), page(&[], 4_000_000, true)];
        assert_eq!(whole_since(breaks_off).await.0, None, "newer ones may follow");
    }
    let older = vec![
        page(&[(5, 500), (4, 400), (3, 300), (2, 200)], 200_000, true),
        page(&[(1, 100)], 100_000, true),
    ];
    assert_eq!(whole_since(older).await, (whole, vec![]));
}

#[tokio::test]
async fn a_list_that_does_not_say_where_it_goes_on_is_not_whole() {
    let stands_still = vec![
        page(&[(13, 3000)], 3_000_000, true),
        page(&[(12, 2000)], 3_000_000, true),
    ];
    assert_eq!(whole_since(stands_still).await.0, Some(Time::from_secs(2001)));
    let nothing = |cursor: &str| {
        ok(&format!(
            r#"{{"data":{{"videos":[],{cursor}"has_more":true}},"error":{{"code":"ok"}}}}"#
        ))
    };
    assert_eq!(whole_since(vec![nothing("")]).await, (None, vec![]));
    assert_eq!(
        whole_since(vec![nothing(r#""cursor":null,"#)]).await,
        (None, vec![])
    );
}

fn videos(data: &str) -> Answer {
    ok(&format!(r#"{{"data":{data},"error":{{"code":"ok"}}}}"#))
}

#[tokio::test]
async fn an_answer_without_its_list_is_no_empty_list() {
    for data in [
        "{}",
        "null",
        r#"{"videos":null}"#,
        r#"{"cursor":0,"has_more":false}"#,
        r#"{"videos":{},"has_more":false}"#,
    ] {
        let server = Canned::start(vec![videos(data), videos(data)]).await;
        let (client, _) = client_at(&server.url);
        let (platform, access) = (platform(), access());
        let listed = client.recent_posts(grant(&platform, &access), Time::from_secs(1000));
        let error = listed.await.unwrap_err();
        assert_eq!(
            (error.fate, error.code.as_str()),
            (Fate::Unknown, "unreadable_answer"),
            "{data}"
        );
        let found = client.sight(grant(&platform, &access), "13");
        assert_eq!(found.await.unwrap_err().fate, Fate::Unknown, "{data}");
    }
}

#[tokio::test]
async fn an_empty_list_is_whole_only_where_it_says_that_it_ends() {
    let whole = Some(Time::from_secs(1000));
    for (data, expected) in [
        (r#"{"videos":[],"has_more":false}"#, whole),
        (r#"{"videos":[]}"#, None),
        (r#"{"videos":[],"cursor":5,"has_more":null}"#, None),
    ] {
        assert_eq!(
            whole_since(vec![videos(data)]).await,
            (expected, vec![]),
            "{data}"
        );
    }
}

#[tokio::test]
async fn a_list_with_a_post_that_cannot_be_read_is_not_whole() {
    for unreadable in [
        r#"{"id":"12","video_description":"Kite 12"}"#,
        r#"{"create_time":2000,"video_description":"Kite 12"}"#,
        r#"{"id":"12","create_time":2000}"#,
        r#"{"id":"12","create_time":2000,"video_description":null,"title":null}"#,
        "null",
    ] {
        let data = format!(
            r#"{{"videos":[{{"id":"13","create_time":3000,"title":""}},{unreadable},{{"id":"11","create_time":500,"title":""}}],"has_more":false}}"#
        );
        let listed = whole_since(vec![videos(&data)]).await;
        assert_eq!(listed, (None, vec!["13".to_owned()]), "{unreadable}");
    }
}

#[tokio::test]
async fn without_the_right_to_look_nothing_is_asked() {
    let server = Canned::start(vec![api_error(401, "scope_not_authorized")]).await;
    let (client, _) = client_at(&server.url);
    let (mut platform, access) = (platform(), access());
    let since = Time::from_secs(0);
    let refused = client.recent_posts(grant(&platform, &access), since).await;
    assert_eq!(
        refused.unwrap_err().fate,
        Fate::Rejected,
        "no reason to disconnect the account"
    );
    assert_eq!(server.seen().len(), 1);
    platform.metadata["scopes"] = json!(["video.publish"]);
    assert_eq!(
        client.recent_posts(grant(&platform, &access), since).await,
        Ok(None)
    );
    assert_eq!(server.seen().len(), 1);
}
