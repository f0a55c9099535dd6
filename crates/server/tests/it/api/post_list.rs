//! The list of posts: range, order, filters, pages (`docs/contract.md#reading-posts`).

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Db, TestApp, eventually, on_both};

on_both!(
    posts_are_listed_by_effective_date,
    the_latest_come_first_where_that_is_asked_for_on_all_pages,
    posts_of_one_instant_are_listed_by_id,
    the_range_holds_its_start_and_not_its_end,
    only_roots_are_listed_and_as_they_are_read,
    posts_are_filtered_by_state_account_and_text,
    many_searches_of_one_workspace_are_refused_and_another_searches_meanwhile,
    wrong_parameters_are_all_named,
    pages_neither_repeat_nor_skip_while_posts_are_added,
    a_page_of_long_posts_ends_early_and_its_cursor_goes_on,
    a_page_that_ends_the_list_has_no_next,
);

const POSTS: &str = "/public/v1/posts";

/// What a list shows, by content, in its order.
fn contents(list: &Value) -> Vec<String> {
    list["posts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|post| post["content"].as_str().unwrap().to_owned())
        .collect()
}

async fn listed(t: &TestApp, query: &str) -> Vec<String> {
    contents(&t.api.get(&format!("{POSTS}?{query}")).await.ok())
}

/// Saves a draft, planned for a time if there is one.
async fn draft(t: &TestApp, platform: &str, content: &str, planned: Option<&str>) -> String {
    let body =
        json!({ "platformIds": [platform], "content": content, "mode": "draft", "scheduledFor": planned });
    t.api.create_post(&body).await
}

async fn posts_are_listed_by_effective_date(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    assert_eq!(
        t.api.get(POSTS).await.ok(),
        json!({ "posts": [], "nextCursor": null })
    );
    draft(&t, &platform, "in a week", Some("2026-11-27T12:00:00Z")).await;
    draft(&t, &platform, "made now", None).await;
    draft(&t, &platform, "yesterday", Some("2026-11-19T12:00:00Z")).await;
    t.clock.advance(Duration::from_millis(1));
    draft(&t, &platform, "made later", None).await;
    draft(&t, &platform, "tomorrow", Some("2026-11-21T12:00:00Z")).await;
    assert_eq!(
        listed(&t, "").await,
        ["yesterday", "made now", "made later", "tomorrow", "in a week"]
    );
}

async fn the_latest_come_first_where_that_is_asked_for_on_all_pages(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut ids = Vec::new();
    for day in ["21", "22", "22", "22", "23"] {
        ids.push(draft(&t, &platform, day, Some(&format!("2026-11-{day}T12:00:00Z"))).await);
    }
    ids[1..4].sort();
    ids.reverse();
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    while seen.len() < ids.len() {
        let page = t
            .api
            .get(&format!("{POSTS}?order=desc&limit=2{cursor}"))
            .await
            .ok();
        let posts = page["posts"].as_array().unwrap().iter();
        seen.extend(posts.map(|post| post["id"].as_str().unwrap().to_owned()));
        draft(&t, &platform, "later", Some("2026-12-24T12:00:00Z")).await;
        cursor = format!("&cursor={}", page["nextCursor"].as_str().unwrap_or_default());
    }
    assert_eq!(seen, ids);
    let range = "endDate=2026-11-22T12:00:00.001Z&order";
    assert_eq!(
        listed(&t, &format!("{range}=desc")).await,
        ["22", "22", "22", "21"]
    );
    assert_eq!(
        listed(&t, &format!("{range}=asc")).await,
        ["21", "22", "22", "22"]
    );
}

async fn posts_of_one_instant_are_listed_by_id(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(draft(&t, &platform, &number.to_string(), Some("2026-11-27T12:00:00Z")).await);
    }
    ids.sort();
    let list = t.api.get(POSTS).await.ok();
    let listed: Vec<_> = list["posts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|post| post["id"].as_str().unwrap())
        .collect();
    assert_eq!(listed, ids);
}

async fn the_range_holds_its_start_and_not_its_end(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for at in [
        "2026-11-21T11:59:59.999Z",
        "2026-11-21T12:00:00.000Z",
        "2026-11-21T12:00:00.001Z",
    ] {
        draft(&t, &platform, at, Some(at)).await;
    }
    for (query, expected) in [
        (
            "startDate=2026-11-21T12:00:00Z",
            &["2026-11-21T12:00:00.000Z", "2026-11-21T12:00:00.001Z"][..],
        ),
        ("endDate=2026-11-21T12:00:00Z", &["2026-11-21T11:59:59.999Z"]),
        (
            "startDate=2026-11-21T12:00:00Z&endDate=2026-11-21T12:00:00.001Z",
            &["2026-11-21T12:00:00.000Z"],
        ),
        (
            "startDate=2026-11-21T13:00:00%2B01:00&endDate=2026-11-21T07:00:00.001-05:00",
            &["2026-11-21T12:00:00.000Z"],
        ),
        ("startDate=2027-01-01T00:00:00Z", &[]),
        (
            "startDate=0001-01-01T00:00:00Z&endDate=2026-11-21T12:00:00Z",
            &["2026-11-21T11:59:59.999Z"],
        ),
    ] {
        assert_eq!(listed(&t, query).await, expected, "{query}");
    }
}

async fn only_roots_are_listed_and_as_they_are_read(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(60, 40).await;
    let body = json!({ "platformIds": [platform], "content": "Root", "mode": "draft", "mediaIds": [photo],
        "settings": { "title": "x" }, "comments": [{ "content": "Comment" }] });
    let id = t.api.create_post(&body).await;
    let list = t.api.get(POSTS).await.ok();
    assert_eq!(list["posts"], json!([t.root(&id).await]));
    assert_eq!(list["posts"][0]["mediaIds"], json!([photo]));
}

async fn posts_are_filtered_by_state_account_and_text(db: Db) {
    let t = TestApp::start(db).await;
    let (kite, bakery) = (t.connect("kitestudio").await, t.connect("harborbakes").await);
    let photo = t.api.upload_photo(300, 400).await;
    draft(&t, &kite, "Blue KITE 100%", None).await;
    draft(&t, &bakery, "Rye_bread", None).await;
    t.api.create_post(&json!({ "platformIds": [kite], "content": "Queued kite", "mode": "schedule",
        "scheduledFor": "2026-11-21T12:00:00Z", "mediaIds": [photo], "settings": { "privacy_level": "SELF_ONLY" } })).await;
    for (query, expected) in [
        ("state=DRAFT".to_owned(), &["Blue KITE 100%", "Rye_bread"][..]),
        ("state=QUEUE".to_owned(), &["Queued kite"]),
        (
            "state=QUEUE&state=DRAFT".to_owned(),
            &["Blue KITE 100%", "Rye_bread", "Queued kite"],
        ),
        ("state=QUEUE&state=QUEUE".to_owned(), &["Queued kite"]),
        (
            "state=PUBLISHED&state=ERROR&state=ACTION_REQUIRED".to_owned(),
            &[],
        ),
        (format!("platformId={kite}"), &["Blue KITE 100%", "Queued kite"]),
        (format!("platformId={bakery}&state=DRAFT"), &["Rye_bread"]),
        ("platformId=0196f3a0-0000-7000-8000-000000000000".to_owned(), &[]),
        ("q=kite".to_owned(), &["Blue KITE 100%", "Queued kite"]),
        ("q=100%25".to_owned(), &["Blue KITE 100%"]),
        ("q=0%25%25".to_owned(), &[]),
        ("q=e_b".to_owned(), &["Rye_bread"]),
        ("q=d_k".to_owned(), &[]),
        ("q=%5C".to_owned(), &[]),
        ("q=%27%20OR%201=1".to_owned(), &[]),
        ("q=".to_owned(), &["Blue KITE 100%", "Rye_bread", "Queued kite"]),
    ] {
        let mut found = listed(&t, &query).await;
        found.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{query}");
    }
}

async fn many_searches_of_one_workspace_are_refused_and_another_searches_meanwhile(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let long = "a".repeat(10_000);
    // One after the other: of many at once a busy machine leaves some waiting for longer than a writer of a workspace may.
    for _ in 0..40 {
        draft(&t, &platform, &long, None).await;
    }
    let path = format!("{POSTS}?q=b{}", "a".repeat(199));
    let stranger = t.stranger().await;
    // A busy machine may take so long to send them that fewer are under way at any time than one workspace may have.
    eventually("some are refused", async || {
        let searches = futures_util::future::join_all((0..20).map(|_| t.api.get(&path)));
        let (answers, theirs) = tokio::join!(searches, stranger.get(&path));
        theirs.ok();
        let (found, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert!(found.len() >= 5, "{}", found.len());
        for answer in &refused {
            answer.refused(429, "rate_limited");
            assert_eq!(answer.header("retry-after"), "1");
        }
        !refused.is_empty()
    })
    .await;
}

async fn wrong_parameters_are_all_named(db: Db) {
    let t = TestApp::start(db).await;
    let query = "startDate=yesterday&endDate=2026-11-21T12:00:00&limit=x&order=up&cursor=%21&state=LOST&platformId=x&q=%00";
    let answer = t.api.get(&format!("{POSTS}?{query}")).await;
    let mut paths: Vec<String> = answer.refused(400, "invalid_request")["details"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["path"][0].as_str().unwrap().to_owned())
        .collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "cursor",
            "endDate",
            "limit",
            "order",
            "platformId",
            "q",
            "startDate",
            "state"
        ]
    );
    for (start, end) in [
        ("2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z"),
        ("2026-11-21T12:00:00Z", "2026-11-21T12:30:00%2B01:00"),
    ] {
        t.api
            .get(&format!("{POSTS}?startDate={start}&endDate={end}"))
            .await
            .invalid_at(&[json!(["startDate"])]);
    }
    for limit in ["0", "1001", "-5", "1.5", ""] {
        t.api
            .get(&format!("{POSTS}?limit={limit}"))
            .await
            .invalid_at(&[json!(["limit"])]);
    }
    t.api.get(&format!("{POSTS}?q={}", "a".repeat(200))).await.ok();
    t.api
        .get(&format!("{POSTS}?q={}", "_".repeat(201)))
        .await
        .invalid_at(&[json!(["q"])]);
    for state in ["queue", "", "DRAFT,QUEUE"] {
        t.api
            .get(&format!("{POSTS}?state={state}"))
            .await
            .invalid_at(&[json!(["state"])]);
    }
}

async fn pages_neither_repeat_nor_skip_while_posts_are_added(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for number in 0..7 {
        draft(
            &t,
            &platform,
            &number.to_string(),
            Some(&format!("2026-11-2{}T12:00:00Z", 1 + number / 3)),
        )
        .await;
    }
    let (mut seen, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let after = cursor
            .map(|cursor| format!("&cursor={cursor}"))
            .unwrap_or_default();
        let page = t.api.get(&format!("{POSTS}?limit=2{after}")).await.ok();
        seen.extend(contents(&page));
        draft(&t, &platform, "before", Some("2026-11-20T00:00:00Z")).await;
        let Some(next) = page["nextCursor"].as_str() else {
            break;
        };
        assert_eq!(page["posts"].as_array().unwrap().len(), 2);
        cursor = Some(next.to_owned());
    }
    seen.sort_unstable();
    assert_eq!(seen, ["0", "1", "2", "3", "4", "5", "6"]);
}

async fn a_page_of_long_posts_ends_early_and_its_cursor_goes_on(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut drafts = Vec::new();
    // 40 kB each: 4 MiB are a hundred of them and some.
    for number in 0..120 {
        drafts.push(
            draft(
                &t,
                &platform,
                &format!("{number:05}{}", "\u{1f600}".repeat(9_995)),
                None,
            )
            .await,
        );
    }
    for query in ["", "&q=\u{1f600}"] {
        let (mut seen, mut cursor, mut sizes) = (Vec::new(), String::new(), Vec::new());
        loop {
            let page = t
                .api
                .get(&format!("{POSTS}?limit=1000{query}{cursor}"))
                .await
                .ok();
            let posts = page["posts"].as_array().unwrap();
            sizes.push(posts.len());
            seen.extend(posts.iter().map(|post| post["id"].as_str().unwrap().to_owned()));
            let Some(next) = page["nextCursor"].as_str() else {
                break;
            };
            cursor = format!("&cursor={next}");
        }
        seen.sort_unstable();
        drafts.sort_unstable();
        assert!(
            seen == drafts && sizes.len() == 2 && sizes[0] < 115,
            "pages of {sizes:?}"
        );
    }
}

async fn a_page_that_ends_the_list_has_no_next(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    for number in 0..4 {
        draft(&t, &platform, &number.to_string(), None).await;
    }
    for (limit, has_next) in [(3, true), (4, false), (5, false), (1000, false)] {
        let page = t.api.get(&format!("{POSTS}?limit={limit}")).await.ok();
        assert_eq!(page["nextCursor"].is_string(), has_next, "{limit}");
    }
}
