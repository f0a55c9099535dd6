//! Platforms: list and schema.

use serde_json::json;

use crate::harness::{TestApp, on_both};

on_both! {
    async fn connected_accounts_are_listed_by_name(db) {
        let t = TestApp::start(db).await;
        let (kite, bakery) = (t.connect("kitestudio").await, t.connect("harborbakes").await);
        let list = t.api.get("/public/v1/platforms").await.ok();
        let ids: Vec<_> = list["platforms"].as_array().unwrap().iter().map(|platform| platform["id"].clone()).collect();
        assert_eq!(ids, [json!(bakery), json!(kite)], "Harbor Bakes comes before Kite Studio");
        assert_eq!(list["platforms"][0]["provider"], "tiktok");
    }
}
