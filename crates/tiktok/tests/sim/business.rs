//! The business API: tokens of its own, refusals with HTTP 200, comments.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, World, answer};
use playout_tiktok::sim::{BUSINESS_SCOPES, Endpoint, Fault, FaultAction};

const ROOT: &str = "/open_api/v1.3";

/// A world with a post that is public, and a business token for its account.
struct Business {
    world: World,
    token: String,
    business_id: String,
    video_id: String,
}

impl Business {
    async fn start() -> Self {
        let world = World::start().await;
        world.publish("talk to me").await;
        let pair = world.sim.grant_business(&world.open_id, &BUSINESS_SCOPES);
        let video_id = world.sim.publications()[0].post_id.clone();
        Self {
            world,
            token: pair.access_token,
            business_id: pair.open_id,
            video_id,
        }
    }

    async fn call(&self, token: &str, path: &str, body: Option<Value>) -> Answer {
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let url = format!("{}{ROOT}{path}", self.world.sim.url());
        let mut request = self.world.http.request(method, url).header("Access-Token", token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        answer(request.send().await.unwrap()).await
    }

    async fn comment(&self, token: &str, body: Value) -> Answer {
        self.call(token, "/business/comment/create/", Some(body)).await
    }

    fn words(&self, text: &str) -> Value {
        json!({ "business_id": self.business_id, "video_id": self.video_id, "text": text })
    }

    async fn list(&self, more: &str) -> Value {
        let path = format!(
            "/business/comment/list/?business_id={}&video_id={}{more}",
            self.business_id, self.video_id
        );
        self.call(&self.token, &path, None).await.data()
    }
}

#[tokio::test]
async fn a_comment_appears_under_ones_own_public_video() {
    let business = Business::start().await;
    let created = business
        .comment(&business.token, business.words("Pattern in the bio"))
        .await;
    assert_eq!(
        (
            created.status,
            &created.json()["code"],
            &created.json()["message"]
        ),
        (200, &json!(0), &json!("OK"))
    );
    let comments = business.world.sim.account("kitestudio").unwrap().comments();
    assert_eq!(comments.len(), 1);
    assert_eq!(created.data()["comment_id"], comments[0].comment_id);
    assert_eq!(
        (created.data()["status"].as_str(), comments[0].text.as_str()),
        (Some("PUBLIC"), "Pattern in the bio")
    );
    let page = business
        .world
        .get(&business.world.sim.publications()[0].path())
        .await;
    assert!(page.text.contains("Pattern in the bio") && !page.text.contains("hidden by the spam filter"));
}

#[tokio::test]
async fn comments_are_refused_with_200() {
    let business = Business::start().await;
    let (sim, own) = (&business.world.sim, business.token.as_str());
    let without = sim
        .grant_business(&business.world.open_id, &["video.publish"])
        .access_token;
    let nothing = json!({ "business_id": business.business_id, "video_id": business.video_id });
    let nowhere = json!({ "business_id": business.business_id, "video_id": "1", "text": "hi" });
    let cases = [
        ("act.unknown", business.words("hi"), 40_105),
        (business.world.token.as_str(), business.words("hi"), 40_105),
        (without.as_str(), business.words("hi"), 40_001),
        (own, business.words(&"x".repeat(151)), 40_002),
        (own, nothing, 40_002),
        (own, nowhere, 40_002),
        (
            own,
            json!({ "business_id": business.world.open_id, "video_id": business.video_id, "text": "hi" }),
            40_001,
        ),
    ];
    for (token, body, code) in cases {
        let refused = business.comment(token, body.clone()).await;
        assert_eq!(
            (refused.status, refused.json()["code"].clone()),
            (200, json!(code)),
            "{body}"
        );
    }
    assert!(sim.account("kitestudio").unwrap().comments().is_empty());
    let foreign = business
        .world
        .send_as(own, Method::GET, "/v2/user/info/?fields=open_id", None)
        .await;
    assert_eq!(
        foreign.code(),
        "access_token_invalid",
        "one app's token opens nothing of the other's"
    );
}

#[tokio::test]
async fn comments_are_listed_in_order_and_hidden_ones_too() {
    let business = Business::start().await;
    for (text, hide) in [("one", false), ("two", true), ("three", false)] {
        business.world.sim.turn(|knobs| knobs.hide_comments = hide);
        business.comment(&business.token, business.words(text)).await;
        business.world.advance(60);
    }
    let texts = |data: &Value| -> Vec<String> {
        let rows = data["comments"].as_array().unwrap().iter();
        rows.map(|row| row["text"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(texts(&business.list("").await), ["one", "two", "three"]);
    assert_eq!(
        texts(&business.list("&sort_field=create_time&sort_order=desc").await),
        ["three", "two", "one"]
    );
    assert_eq!(texts(&business.list("&status=PUBLIC").await), ["one", "three"]);
    let first = business.list("&max_count=2").await;
    assert_eq!(
        (texts(&first), &first["has_more"]),
        (vec!["one".to_owned(), "two".to_owned()], &json!(true))
    );
    let next = business
        .list(&format!("&max_count=2&cursor={}", first["cursor"]))
        .await;
    assert_eq!(
        (texts(&next), &next["has_more"]),
        (vec!["three".to_owned()], &json!(false))
    );
    let page = business
        .world
        .get(&business.world.sim.publications()[0].path())
        .await;
    assert_eq!(page.text.matches("hidden by the spam filter").count(), 1);
}

#[tokio::test]
async fn tokens_are_traded_for_json_with_the_right_client() {
    let business = Business::start().await;
    let refresh = business
        .world
        .sim
        .grant_business(&business.world.open_id, &BUSINESS_SCOPES)
        .refresh_token;
    let body = |secret: &str| {
        json!({
            "client_id": "sim_business_id", "client_secret": secret, "grant_type": "refresh_token",
            "refresh_token": refresh
        })
    };
    let path = "/tt_user/oauth2/refresh_token/";
    let code = async |body: Value| business.call("", path, Some(body)).await.json()["code"].clone();
    assert_eq!(code(body("wrong")).await, 40_101);
    assert_eq!(code(json!({})).await, 40_002);
    assert_eq!(code(body("sim_business_secret")).await, 0);
    assert_eq!(code(body("sim_business_secret")).await, 40_103, "it is spent");
}

#[tokio::test]
async fn every_endpoint_has_forty_calls_a_minute_of_its_own() {
    let business = Business::start().await;
    for _ in 0..40 {
        assert_eq!(
            business
                .comment(&business.token, business.words("again"))
                .await
                .json()["code"],
            0
        );
    }
    assert_eq!(
        business
            .comment(&business.token, business.words("again"))
            .await
            .json()["code"],
        40_100
    );
    assert_eq!(business.list("&max_count=30").await["has_more"], true);
    business.world.advance(60);
    assert_eq!(
        business
            .comment(&business.token, business.words("later"))
            .await
            .json()["code"],
        0
    );
}

#[tokio::test]
async fn faults_affect_it_as_they_affect_the_rest() {
    let business = Business::start().await;
    let sim = &business.world.sim;
    sim.inject(Fault::new(
        Endpoint::CommentCreate,
        FaultAction::error(200, "50000"),
    ));
    assert_eq!(
        business
            .comment(&business.token, business.words("no"))
            .await
            .json()["code"],
        50_000
    );
    sim.inject(
        Fault::new(Endpoint::CommentCreate, FaultAction::DropAfter).on_account(&business.world.open_id),
    );
    let url = format!("{}{ROOT}/business/comment/create/", sim.url());
    let request = business
        .world
        .http
        .post(url)
        .header("Access-Token", &business.token);
    assert!(request.json(&business.words("lost")).send().await.is_err());
    assert_eq!(sim.account("kitestudio").unwrap().comments().len(), 1);
    let journal = sim.journal();
    let last = journal.last().unwrap();
    assert_eq!(
        (last.endpoint, last.account.as_deref()),
        (
            Some(Endpoint::CommentCreate),
            Some(business.world.open_id.as_str())
        )
    );
}
