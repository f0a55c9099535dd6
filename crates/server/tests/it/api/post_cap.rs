//! The plan's posts a month: counted when a post enters QUEUE, exact under concurrent requests
//! (`docs/contract.md#monthly-limit`).

use std::time::Duration;

use futures_util::future::join_all;
use playout_domain::time::Time;
use playout_tiktok::sim::FailRule;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, Db, Options, TestApp, on_both};

on_both!(
    the_free_plan_takes_thirty_posts_a_month,
    drafts_do_not_count_until_they_are_queued,
    a_request_that_does_not_fit_whole_creates_nothing,
    platforms_that_fail_cost_nothing,
    comments_do_not_count,
    a_post_deleted_before_it_is_out_gives_its_count_back,
    an_unscheduled_post_gives_its_count_back_and_counts_when_it_is_queued_again,
    queueing_again_does_not_count_again,
    a_new_month_begins_at_midnight_utc,
    a_hundred_at_once_against_a_cap_of_ten_make_exactly_ten,
    the_last_post_of_the_month_goes_to_one_of_those_who_race_for_it,
    one_draft_that_is_published_and_scheduled_at_once_counts_once,
    creating_and_deleting_at_once_loses_no_count,
);

const POSTS: &str = "/public/v1/posts";
const TOMORROW: &str = "2026-11-21T12:00:00.000Z";

/// A world on a plan of so many posts a month, with an account and a photo to post.
struct Capped {
    t: TestApp,
    platform: String,
    photo: String,
    _plans: tempfile::NamedTempFile,
}

impl Capped {
    async fn start(db: Db, posts: u32) -> Self {
        let plans = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(
            &plans,
            format!("[plans.unlimited]\n[plans.small]\nposts_per_month = {posts}\n"),
        )
        .unwrap();
        let options = Options::default()
            .plan("small")
            .set("plans_file", plans.path().to_str().unwrap());
        let t = TestApp::start_with(db, options).await;
        let platform = t.connect("kitestudio").await;
        let photo = t.api.upload_photo(300, 400).await;
        Self {
            t,
            platform,
            photo,
            _plans: plans,
        }
    }

    async fn create(&self, over: Value) -> Answer {
        let mut body = json!({
            "platformIds": [self.platform], "content": "Hello", "mode": "schedule", "scheduledFor": TOMORROW,
            "mediaIds": [self.photo], "settings": { "privacy_level": "SELF_ONLY" },
        });
        body.as_object_mut()
            .unwrap()
            .extend(over.as_object().unwrap().clone());
        served(&self.t.api, &body).await
    }

    /// Creates a post that must fit; returns its ID.
    async fn fits(&self, over: Value) -> String {
        let answer = self.create(over).await;
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()["results"][0]["post"]["root"]["id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    async fn is_full(&self) {
        self.create(json!({})).await.refused(409, "post_limit_reached");
    }

    async fn delete(&self, id: &str) {
        assert_eq!(self.t.api.delete(&format!("{POSTS}/{id}")).await.status, 204);
    }

    async fn reschedule(&self, id: &str) -> Answer {
        let when = self.t.now().plus(Duration::from_secs(3600)).to_string();
        self.t
            .api
            .patch(
                &format!("{POSTS}/{id}/schedule"),
                &json!({ "scheduledFor": when }),
            )
            .await
    }

    async fn publish(&self, id: &str) -> Answer {
        let path = format!("{POSTS}/{id}/publish");
        self.t.api.send(self.t.api.request(Method::POST, &path)).await
    }

    /// How many posts of this month are used, as the API returns it.
    async fn used(&self) -> u64 {
        let usage = self.t.api.get("/public/v1/usage").await.ok();
        usage["posts"]["used"].as_u64().unwrap()
    }

    async fn count(&self) -> usize {
        self.t.api.get(POSTS).await.ok()["posts"]
            .as_array()
            .unwrap()
            .len()
    }
}

/// Creates a post; repeats the request while the database is too busy for it.
async fn served(api: &Client, body: &Value) -> Answer {
    loop {
        let answer = api.post(POSTS, body).await;
        if answer.status != 503 {
            return answer;
        }
    }
}

async fn the_free_plan_takes_thirty_posts_a_month(db: Db) {
    let t = TestApp::start_with(db, Options::default().plan("free")).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let body = json!({ "platformIds": [platform], "content": "x", "mode": "schedule", "scheduledFor": TOMORROW,
        "mediaIds": [photo], "settings": { "privacy_level": "SELF_ONLY" } });
    for _ in 0..30 {
        assert_eq!(t.api.post(POSTS, &body).await.status, 201);
    }
    let refused = t.api.post(POSTS, &body).await.refused(409, "post_limit_reached");
    let details = json!({ "limit": 30, "used": 30, "resetsAt": "2026-12-01T00:00:00.000Z" });
    assert_eq!(refused["details"], details);
}

async fn drafts_do_not_count_until_they_are_queued(db: Db) {
    let capped = Capped::start(db, 1).await;
    let mut drafts = Vec::new();
    for _ in 0..3 {
        drafts.push(capped.fits(json!({ "mode": "draft" })).await);
    }
    assert_eq!(capped.reschedule(&drafts[0]).await.status, 200);
    capped
        .reschedule(&drafts[1])
        .await
        .refused(409, "post_limit_reached");
    assert_eq!(capped.t.root(&drafts[1]).await["state"], "DRAFT");
    capped.is_full().await;
    capped.fits(json!({ "mode": "draft" })).await;
}

async fn a_request_that_does_not_fit_whole_creates_nothing(db: Db) {
    let capped = Capped::start(db, 2).await;
    let bakery = capped.t.connect("harborbakes").await;
    let both = json!({ "platformIds": [capped.platform, bakery] });
    capped.fits(json!({})).await;
    let refused = capped
        .create(both.clone())
        .await
        .refused(409, "post_limit_reached");
    assert_eq!(
        (&refused["details"]["limit"], &refused["details"]["used"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(capped.count().await, 1);
    capped.fits(json!({})).await;
    assert_eq!(capped.count().await, 2);
}

async fn platforms_that_fail_cost_nothing(db: Db) {
    let capped = Capped::start(db, 1).await;
    let mixed = json!({ "platformIds": ["0196f3a0-0000-7000-8000-000000000000", capped.platform] });
    for _ in 0..2 {
        assert_eq!(
            capped.create(json!({ "mediaIds": [] })).await.status,
            200,
            "none was created"
        );
    }
    assert_eq!(capped.create(mixed).await.status, 201, "one fits");
    capped.is_full().await;
    assert_eq!(
        capped.create(json!({ "content": "" })).await.status,
        400,
        "validation comes before the limit"
    );
    assert_eq!(
        capped.create(json!({ "mediaIds": [] })).await.status,
        200,
        "what fails needs no room"
    );
}

async fn comments_do_not_count(db: Db) {
    let capped = Capped::start(db, 1).await;
    let draft = capped
        .fits(json!({ "mode": "draft", "comments": [{ "content": "a" }, { "content": "b" }] }))
        .await;
    capped.fits(json!({})).await;
    capped.is_full().await;
    capped.delete(&draft).await;
    capped.is_full().await;
}

async fn a_post_deleted_before_it_is_out_gives_its_count_back(db: Db) {
    let capped = Capped::start(db, 1).await;
    let id = capped.fits(json!({})).await;
    capped.is_full().await;
    capped.delete(&id).await;
    let now = capped.fits(json!({ "mode": "now" })).await;
    assert_eq!(capped.t.settled(&now).await["state"], "PUBLISHED");
    capped.delete(&now).await;
    capped.is_full().await;
}

async fn an_unscheduled_post_gives_its_count_back_and_counts_when_it_is_queued_again(db: Db) {
    let capped = Capped::start(db, 1).await;
    let unschedule = async |id: &str| {
        let at = format!("/public/v1/posts/{id}/unschedule");
        let answer = capped.t.api.send(capped.t.api.request(Method::POST, &at)).await;
        assert_eq!(answer.ok()["root"]["state"], "DRAFT");
    };
    let id = capped.fits(json!({})).await;
    capped.is_full().await;
    unschedule(&id).await;
    let other = capped.fits(json!({})).await;
    capped.reschedule(&id).await.refused(409, "post_limit_reached");
    unschedule(&other).await;
    assert_eq!(capped.reschedule(&id).await.status, 200);
    capped.is_full().await;
    // In another month it is not given back, and does not count again.
    let at = json!({ "scheduledFor": "2026-12-24T12:00:00Z" });
    let schedule = format!("/public/v1/posts/{id}/schedule");
    capped.t.api.patch(&schedule, &at).await.ok();
    capped.t.clock.set(Time::parse("2026-12-01T00:00:00Z").unwrap());
    unschedule(&id).await;
    capped.t.api.patch(&schedule, &at).await.ok();
    capped.fits(at).await;
    capped.is_full_for("2026-12-24T12:00:00Z").await;
}

async fn queueing_again_does_not_count_again(db: Db) {
    let capped = Capped::start(db, 1).await;
    let id = capped.fits(json!({})).await;
    for _ in 0..3 {
        assert_eq!(capped.reschedule(&id).await.status, 200);
    }
    capped.delete(&id).await;
    capped.t.sim.fail(FailRule::next("spam_risk_text"));
    let id = capped.fits(json!({ "mode": "now" })).await;
    assert_eq!(capped.t.settled(&id).await["state"], "ERROR");
    assert_eq!(
        capped.reschedule(&id).await.status,
        200,
        "an ERROR post was counted already"
    );
    capped.is_full().await;
    capped.delete(&id).await;
    capped.fits(json!({})).await;
}

async fn a_new_month_begins_at_midnight_utc(db: Db) {
    let capped = Capped::start(db, 1).await;
    let old = capped
        .fits(json!({ "scheduledFor": "2026-12-24T12:00:00Z" }))
        .await;
    capped
        .t
        .clock
        .set(Time::parse("2026-11-30T23:59:59.999Z").unwrap());
    capped.is_full_for("2026-12-24T12:00:00Z").await;
    capped.t.clock.set(Time::parse("2026-12-01T00:00:00Z").unwrap());
    capped
        .fits(json!({ "scheduledFor": "2026-12-24T12:00:00Z" }))
        .await;
    capped.is_full_for("2026-12-24T12:00:00Z").await;
    capped.delete(&old).await;
    capped.is_full_for("2026-12-24T12:00:00Z").await;
}

async fn a_hundred_at_once_against_a_cap_of_ten_make_exactly_ten(db: Db) {
    let capped = Capped::start(db, 10).await;
    for round in 0..20 {
        let (api, platform) = capped.t.stranger_on(Some("small"), "kitestudio").await;
        let body = json!({
            "platformIds": [platform], "content": "Hello", "mode": "schedule", "scheduledFor": TOMORROW,
            "mediaIds": [api.upload_photo(90, 160).await], "settings": { "privacy_level": "SELF_ONLY" },
        });
        let answers = join_all((0..100).map(|_| served(&api, &body))).await;
        let with = |status| answers.iter().filter(|answer| answer.status == status).count();
        // The answer to a commit that took too long on a busy machine is lost, and its post is there.
        assert!(with(201) <= 10 && with(201) + with(409) == 100, "round {round}");
        assert_eq!(
            api.get(POSTS).await.ok()["posts"].as_array().unwrap().len(),
            10,
            "round {round}"
        );
        assert_eq!(
            api.get("/public/v1/usage").await.ok()["posts"],
            json!({ "used": 10, "limit": 10 })
        );
    }
}

async fn the_last_post_of_the_month_goes_to_one_of_those_who_race_for_it(db: Db) {
    let capped = Capped::start(db, 1).await;
    for round in 0..8 {
        let mut drafts = Vec::new();
        for _ in 0..4 {
            drafts.push(capped.fits(json!({ "mode": "draft" })).await);
        }
        let answers = tokio::join!(
            capped.publish(&drafts[0]),
            capped.reschedule(&drafts[1]),
            capped.publish(&drafts[2]),
            capped.reschedule(&drafts[3]),
            capped.create(json!({ "mode": "now" }))
        );
        let answers = [answers.0, answers.1, answers.2, answers.3, answers.4];
        let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status < 300);
        assert_eq!((won.len(), lost.len()), (1, 4), "round {round}");
        lost.iter()
            .for_each(|answer| drop(answer.refused(409, "post_limit_reached")));
        capped.t.idle().await;
        let posts = capped.t.api.get(POSTS).await.ok()["posts"].take();
        let drafts = posts
            .as_array()
            .unwrap()
            .iter()
            .filter(|post| post["state"] == "DRAFT")
            .count();
        assert_eq!(drafts, posts.as_array().unwrap().len() - 1, "round {round}");
        // What went out keeps its count: the next round is the next month's.
        capped.t.clock.set(capped.t.now().next_month_start());
        for post in posts.as_array().unwrap() {
            let id = post["id"].as_str().unwrap();
            capped.t.run_until(id, |root| root["state"] != "QUEUE").await;
            capped.delete(id).await;
        }
    }
}

async fn one_draft_that_is_published_and_scheduled_at_once_counts_once(db: Db) {
    let capped = Capped::start(db, 5).await;
    for round in 1..=4 {
        let draft = capped.fits(json!({ "mode": "draft" })).await;
        let (published, scheduled) = tokio::join!(capped.publish(&draft), capped.reschedule(&draft));
        for answer in [published, scheduled] {
            if answer.status != 200 {
                let code = answer.json()["code"].take();
                assert!(
                    ["post_not_publishable", "post_not_reschedulable"].contains(&code.as_str().unwrap()),
                    "{code}"
                );
            }
        }
        assert_eq!(capped.used().await, round);
    }
}

async fn creating_and_deleting_at_once_loses_no_count(db: Db) {
    let capped = Capped::start(db, 5).await;
    for _ in 0..4 {
        let answers = join_all((0..12).map(|_| capped.create(json!({})))).await;
        let created: Vec<String> = answers
            .iter()
            .filter(|answer| answer.status == 201)
            .map(|answer| {
                answer.json()["results"][0]["post"]["root"]["id"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        assert_eq!(created.len(), 5);
        join_all(created.iter().map(|id| capped.delete(id))).await;
    }
    assert_eq!(capped.count().await, 0);
}

impl Capped {
    /// Asserts that a post for `when` does not fit.
    async fn is_full_for(&self, when: &str) {
        self.create(json!({ "scheduledFor": when }))
            .await
            .refused(409, "post_limit_reached");
    }
}
