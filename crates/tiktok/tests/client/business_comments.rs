//! The list of comments under a business account's post, against answers written by hand.

use playout_domain::provider::{Fate, Provider};
use serde_json::{Value, json};

use crate::business::{POST, account, business_at, data, query};
use crate::canned::Canned;
use crate::setting::{NOW, access, grant, object};

#[tokio::test]
async fn the_accounts_own_comments_are_read_page_by_page() {
    let at = |seconds: i64| (NOW.as_secs() + seconds).to_string();
    let row = |id: &str, seconds: i64, owner: bool| json!({ "comment_id": id, "text": "First!", "create_time": at(seconds), "owner": owner, "status": "PUBLIC" });
    let first =
        json!({ "comments": [row("1", 3, true), row("2", 2, false)], "cursor": 30, "has_more": true });
    let second =
        json!({ "comments": [row("3", 0, true), row("4", -1, true)], "cursor": 60, "has_more": false });
    let server = Canned::start(vec![data(&first), data(&second)]).await;
    let (client, _) = business_at(&server.url);
    let (mut account, access) = (account(), access());
    let found = client
        .own_comments(grant(&account, &access), POST, NOW)
        .await
        .unwrap()
        .unwrap();
    let ids: Vec<&str> = found
        .comments
        .iter()
        .map(|own| own.comment.release_id.as_str())
        .collect();
    assert_eq!(ids, ["1", "3"], "others' and older ones are none of them");
    assert!(found.is_whole);
    let asked: Vec<_> = server.seen().iter().map(|request| query(&request.path)).collect();
    assert_eq!(
        (asked[0]["cursor"].as_str(), asked[1]["cursor"].as_str()),
        ("0", "30")
    );
    assert_eq!(
        (asked[0]["video_id"].as_str(), asked[0]["status"].as_str()),
        (POST, "ALL")
    );
    account.metadata = object(json!({ "scopes": ["comment.list.manage"] }));
    let blind = client.own_comments(grant(&account, &access), POST, NOW).await;
    assert_eq!(blind, Ok(None), "without leave nothing is asked");
}

/// Whether a list of such pages, of which each says that there are more, is whole, and how many pages were read. A page has these times,
/// in seconds from the one that is asked for.
async fn listed(pages: usize, times: &[i64]) -> (bool, usize) {
    let row = |seconds: i64| json!({ "comment_id": "1", "text": "x", "create_time": (NOW.as_secs() + seconds).to_string(), "owner": false });
    let page = |number: usize| {
        let rows: Vec<Value> = times.iter().copied().map(row).collect();
        json!({ "comments": rows, "cursor": 30 * number, "has_more": true })
    };
    let server = Canned::start((1..=pages).map(|number| data(&page(number))).collect()).await;
    let (client, _) = business_at(&server.url);
    let (account, access) = (account(), access());
    let found = client.own_comments(grant(&account, &access), POST, NOW).await;
    (found.unwrap().unwrap().is_whole, server.seen().len())
}

#[tokio::test]
async fn a_list_of_comments_that_is_cut_is_not_whole() {
    assert_eq!(listed(25, &[5, 5]).await, (false, 25), "more of them are newer");
    assert_eq!(
        listed(1, &[5, 5, 5, -1]).await,
        (true, 1),
        "all that follow are older"
    );
    assert_eq!(
        listed(2, &[-1]).await,
        (true, 2),
        "the first may be pinned, and the second is not"
    );
    assert_eq!(
        listed(25, &[-1, 5]).await,
        (false, 25),
        "the provider keeps no order, so that newer ones may follow"
    );
}

#[tokio::test]
async fn a_list_of_comments_that_does_not_say_where_it_goes_on_is_not_whole() {
    for page in [
        json!({ "comments": [], "has_more": true }),
        json!({ "comments": [], "cursor": 0, "has_more": true }),
    ] {
        let server = Canned::start(vec![data(&page)]).await;
        let (client, _) = business_at(&server.url);
        let (account, access) = (account(), access());
        let found = client.own_comments(grant(&account, &access), POST, NOW).await;
        assert!(!found.unwrap().unwrap().is_whole, "{page:#}");
    }
}

#[tokio::test]
async fn an_answer_without_its_list_is_no_empty_list() {
    for answer in [
        json!({}),
        Value::Null,
        json!({ "comments": null, "has_more": false }),
        json!({ "videos": null, "has_more": false }),
    ] {
        let server = Canned::start(vec![data(&answer), data(&answer)]).await;
        let (client, _) = business_at(&server.url);
        let (account, access) = (account(), access());
        let comments = client.own_comments(grant(&account, &access), POST, NOW).await;
        assert_eq!(comments.unwrap_err().fate, Fate::Unknown, "{answer:#}");
        let posts = client.recent_posts(grant(&account, &access), NOW).await;
        assert_eq!(posts.unwrap_err().fate, Fate::Unknown, "{answer:#}");
    }
}

#[tokio::test]
async fn a_list_of_comments_is_whole_where_it_ends_and_all_of_it_can_be_read() {
    let row = |key: &str, value: Value| {
        let time = (NOW.as_secs() + 1).to_string();
        let mut row = json!({ "comment_id": "1", "text": "x", "create_time": time, "owner": true });
        row[key] = value;
        row
    };
    for (page, is_whole) in [
        (json!({ "comments": [], "has_more": false }), true),
        (json!({ "comments": [] }), false),
        (
            json!({ "comments": [row("text", json!("x"))], "has_more": false }),
            true,
        ),
        (
            json!({ "comments": [row("create_time", Value::Null)], "has_more": false }),
            false,
        ),
        (
            json!({ "comments": [row("comment_id", Value::Null)], "has_more": false }),
            false,
        ),
        (
            json!({ "comments": [row("text", Value::Null)], "has_more": false }),
            false,
        ),
        (
            json!({ "comments": [row("owner", Value::Null)], "has_more": false }),
            false,
        ),
    ] {
        let server = Canned::start(vec![data(&page)]).await;
        let (client, _) = business_at(&server.url);
        let (account, access) = (account(), access());
        let found = client.own_comments(grant(&account, &access), POST, NOW).await;
        assert_eq!(found.unwrap().unwrap().is_whole, is_whole, "{page:#}");
    }
}
