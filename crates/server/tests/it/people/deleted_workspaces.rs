//! The trail of a workspace outlives it by ninety days, for the operator alone and without content.

use std::time::Duration;

use playout_store::Page;
use serde_json::json;

use crate::harness::{Db, TestApp, eventually, on_both};

on_both!(the_trail_of_a_deleted_workspace_stays_for_ninety_days_and_opens_to_no_member,);

const DAY: Duration = Duration::from_secs(86_400);
const ALL: Page = Page {
    limit: 100,
    after: None,
};

async fn the_trail_of_a_deleted_workspace_stays_for_ninety_days_and_opens_to_no_member(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, eve) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("eve@example.org").await,
    );
    let id = ada.workspace.parse().unwrap();
    let platform = t.connect_in(id, "kitestudio").await;
    let content = "Words that nobody keeps";
    let draft = json!({ "platformIds": [platform], "content": content, "mode": "draft" });
    ada.api.post("/app/v1/posts", &draft).await.ok();
    let path = format!("/app/v1/organizations/{}", ada.workspace);
    ada.api.patch(&path, &json!({ "name": "Kites" })).await.ok();
    let before = ada.trail().await;
    assert_eq!(ada.delete_workspace().await.status, 204);
    t.idle().await;
    for person in [&ada, &eve] {
        person
            .api
            .in_workspace(&ada.workspace)
            .get("/app/v1/audit")
            .await
            .refused(403, "forbidden");
    }
    let kept = async || t.app.store.list_audit(id, ALL).await.unwrap();
    let actions: Vec<&str> = kept().await.iter().map(|entry| entry.action.as_str()).collect();
    let known = before.iter().map(|entry| entry["action"].as_str().unwrap());
    assert_eq!(
        actions,
        ["workspace.deleted"].into_iter().chain(known).collect::<Vec<_>>()
    );
    let deleted = kept().await.swap_remove(0);
    assert_eq!(
        (deleted.actor.name.as_deref(), deleted.target),
        (Some("ada@example.org"), Some(ada.workspace.clone()))
    );
    let ended = t.app.store.find_ended_workspace(id).await.unwrap().unwrap();
    assert_eq!((ended.name.as_str(), ended.ended_at), ("Kites", t.now()));
    let details: Vec<_> = kept()
        .await
        .into_iter()
        .filter_map(|entry| entry.detail)
        .collect();
    assert!(
        !serde_json::to_string(&details).unwrap().contains(content),
        "no content is kept"
    );
    t.advance(DAY * 89).await;
    t.app.store.delete_expired(t.now()).await.unwrap();
    assert_eq!(kept().await.len(), actions.len());
    t.advance(DAY).await;
    eventually("the sweep removes the trail", async || kept().await.is_empty()).await;
    eventually("and the name", async || {
        t.app.store.find_ended_workspace(id).await.unwrap().is_none()
    })
    .await;
    let others = eve.workspace.parse().unwrap();
    assert_eq!(
        t.app.store.list_audit(others, ALL).await.unwrap().len(),
        1,
        "the trail of a workspace that goes on stays"
    );
}
