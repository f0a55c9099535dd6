//! The control API, the journal, and start and stop of a simulator.

use playout_tiktok::sim::{Account, Endpoint, HoldPoint, SimConfig};
use reqwest::Method;
use serde_json::json;

use crate::harness::World;

#[tokio::test]
async fn knobs_are_turned_over_http_and_typos_change_nothing() {
    let world = World::start().await;
    assert_eq!(world.get("/sim/knobs").await.json()["processingMs"], 0);
    let body = json!({ "processingMs": 5_000, "pkce": "both", "paramCode": "invalid_param" });
    let turned = world.send(Method::PATCH, "/sim/knobs", Some(body)).await.json();
    assert_eq!(
        (&turned["processingMs"], &turned["pkce"]),
        (&json!(5_000), &json!("both"))
    );
    let typo = world
        .send(
            Method::PATCH,
            "/sim/knobs",
            Some(json!({ "processingMs": 1, "proccesing": 1 })),
        )
        .await;
    assert_eq!(typo.status, 400);
    assert!(typo.json()["error"].as_str().unwrap().contains("proccesing"));
    assert_eq!(world.sim.knobs().processing_ms, 5_000);
}

#[tokio::test]
async fn responses_come_as_late_as_the_knob_says() {
    let world = World::start().await;
    let late = json!({ "responseDelayMs": 3_000 });
    assert_eq!(
        world.send(Method::PATCH, "/sim/knobs", Some(late)).await.status,
        200
    );
    let mut asked = std::pin::pin!(world.init_video("late", 100));
    let mut seconds = 0;
    let answer = loop {
        tokio::select! {
            biased;
            answer = &mut asked => break answer,
            _ = world.get("/sim/journal") => {
                world.advance(1);
                seconds += 1;
            }
        }
    };
    assert_eq!(answer.outcome(), (200, "ok".to_owned()));
    assert!(seconds >= 3, "after {seconds} s");
}

#[tokio::test]
async fn faults_fates_and_holds_are_set_over_http() {
    let world = World::start().await;
    let fault = json!({ "endpoint": "video_init", "action": { "do": "answer", "status": 500, "code": "internal_error" } });
    assert_eq!(world.post("/sim/faults", fault).await.status, 200);
    assert_eq!(
        world.init_video("refused", 100).await.outcome(),
        (500, "internal_error".to_owned())
    );
    let drop_after = json!({ "endpoint": "upload_last", "action": { "do": "dropAfter" }, "times": 2 });
    assert_eq!(world.post("/sim/faults", drop_after).await.status, 200);
    assert_eq!(world.get("/sim/faults").await.json().as_array().unwrap().len(), 1);
    world.send(Method::DELETE, "/sim/faults", None).await;
    world
        .post(
            "/sim/fates",
            json!({ "reason": "spam_risk", "captionContains": "#x", "times": 1 }),
        )
        .await;
    let publish_id = world.publish("has #x").await;
    assert_eq!(world.status(&publish_id).await["fail_reason"], "spam_risk");
    assert_eq!(
        world
            .post("/sim/hold", json!({ "endpoint": "status", "point": "before" }))
            .await
            .status,
        200
    );
    assert_eq!(world.post("/sim/release", json!({})).await.status, 200);
    assert_eq!(world.status(&publish_id).await["status"], "FAILED");
    assert_eq!(
        world
            .post("/sim/faults", json!({ "endpoint": "nonsense" }))
            .await
            .status,
        400
    );
}

#[tokio::test]
async fn accounts_are_made_and_changed_over_http() {
    let world = World::start().await;
    let made = world
        .post(
            "/sim/accounts",
            json!({ "username": "newcomer", "private": true }),
        )
        .await
        .json();
    assert_eq!(made["openId"], Account::new("newcomer").open_id);
    let changed = world
        .send(
            Method::PATCH,
            "/sim/accounts/newcomer",
            Some(json!({ "banned": true, "openId": "x" })),
        )
        .await;
    assert_eq!(
        (&changed.json()["banned"], &changed.json()["openId"]),
        (&json!(true), &made["openId"])
    );
    let tokens = world
        .post(
            "/sim/accounts/newcomer/grant",
            json!({ "scopes": ["video.publish"] }),
        )
        .await
        .json();
    let path = "/v2/post/publish/creator_info/query/";
    let token = tokens["accessToken"].as_str().unwrap();
    let info = world.send_as(token, Method::POST, path, None).await;
    assert_eq!(info.code(), "spam_risk_user_banned_from_posting");
    world.post("/sim/accounts/newcomer/expire-token", json!({})).await;
    assert_eq!(world.send_as(token, Method::POST, path, None).await.status, 401);
    assert_eq!(
        world
            .post("/sim/accounts/newcomer/revoke", json!({ "reason": 4 }))
            .await
            .status,
        200
    );
    assert_eq!(world.get("/sim/accounts/nobody").await.status, 404);
    assert_eq!(
        world.get("/sim/accounts").await.json().as_array().unwrap().len(),
        3
    );
}

#[tokio::test]
async fn what_happened_is_told_over_http() {
    let world = World::start().await;
    world.publish("seen").await;
    let posts = world.get("/sim/publications").await.json();
    assert_eq!(
        (&posts[0]["caption"], &posts[0]["privacyLevel"]),
        (&json!("seen"), &json!("PUBLIC_TO_EVERYONE"))
    );
    assert!(posts[0]["postId"].is_string());
    let journal = world.get("/sim/journal").await.json();
    assert_eq!(journal.as_array().unwrap().len(), 2);
    assert_eq!(
        world.get("/sim/journal?after=1").await.json()[0]["endpoint"],
        "upload_last"
    );
    for path in ["/sim/inbox", "/sim/webhooks", "/sim/misunderstood"] {
        assert_eq!(world.get(path).await.json(), json!([]), "{path}");
    }
    assert_eq!(world.get("/sim/fetches").await.json(), json!({}));
    world.post("/sim/clock/advance", json!({ "ms": 1_500 })).await;
    assert_eq!(
        world.get("/sim/clock").await.json()["now"],
        "2026-11-20T09:00:01.500Z"
    );
    world.post("/sim/reset", json!({})).await;
    assert_eq!(world.get("/sim/publications").await.json(), json!([]));
    assert_eq!(world.get("/sim/journal").await.json(), json!([]));
    world.sim.grant(&world.open_id, &["video.publish"]);
    assert_eq!(world.init_video("old token", 100).await.status, 401);
}

#[tokio::test]
async fn the_document_tells_every_knob_flag_and_endpoint() {
    let world = World::start().await;
    let text = include_str!("../../../../docs/simulator.md");
    let account = world.get("/sim/accounts/kitestudio").await.json();
    let knobs = world.get("/sim/knobs").await.json();
    for name in knobs
        .as_object()
        .unwrap()
        .keys()
        .chain(account.as_object().unwrap().keys())
    {
        assert!(text.contains(&format!("`{name}`")), "{name}");
    }
    let typo = world
        .post(
            "/sim/faults",
            json!({ "endpoint": "?", "action": { "do": "drop" } }),
        )
        .await;
    let known = typo.json()["error"]
        .as_str()
        .unwrap()
        .split('`')
        .map(str::to_owned)
        .collect::<Vec<_>>();
    let endpoints: Vec<&String> = known.iter().skip(3).step_by(2).collect();
    assert_eq!(endpoints.len(), 26, "{endpoints:?}");
    assert!(endpoints.iter().all(|name| text.contains(&format!("`{name}`"))));
}

#[tokio::test]
async fn the_journal_holds_who_asked_what_and_what_came_of_it() {
    let world = World::start().await;
    world.publish("noted").await;
    world
        .post("/v2/post/publish/status/fetch/", json!({ "publish_id": "x" }))
        .await;
    let journal = world.sim.journal();
    let endpoints: Vec<_> = journal.iter().map(|entry| entry.endpoint.unwrap()).collect();
    assert_eq!(
        endpoints,
        [Endpoint::VideoInit, Endpoint::UploadLast, Endpoint::Status]
    );
    assert!(
        journal
            .iter()
            .all(|entry| entry.account.as_deref() == Some(&world.open_id))
    );
    assert_eq!(
        journal.iter().map(|entry| entry.sequence).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert!(journal[0].body.contains("noted"));
    assert_eq!(
        (journal[2].status, journal[2].code.as_str()),
        (400, "invalid_publish_id")
    );
    world.sim.turn(|knobs| knobs.journal_limit = 2);
    world.get("/v2/user/info/?fields=open_id").await;
    assert_eq!(
        world
            .sim
            .journal()
            .iter()
            .map(|entry| entry.sequence)
            .collect::<Vec<_>>(),
        [3, 4]
    );
}

#[tokio::test]
async fn what_makes_no_sense_is_remembered() {
    let world = World::start().await;
    assert_eq!(world.get("/v2/post/publish/video/init/").await.status, 404);
    assert_eq!(world.post("/v2/unknown/", json!({})).await.status, 404);
    assert_eq!(world.get("/healthz").await.status, 404);
    let url = format!("{}/v2/post/publish/video/init/", world.sim.url());
    world
        .http
        .post(url)
        .bearer_auth(&world.token)
        .body("{")
        .send()
        .await
        .unwrap();
    let why: Vec<String> = world
        .sim
        .misunderstood()
        .into_iter()
        .map(|call| call.path)
        .collect();
    assert_eq!(
        why,
        [
            "/v2/post/publish/video/init/",
            "/v2/unknown/",
            "/healthz",
            "/v2/post/publish/video/init/"
        ]
    );
}

#[tokio::test]
async fn a_stopped_simulator_frees_its_port() {
    let world = World::start().await;
    let listen: std::net::SocketAddr = world.sim.url().strip_prefix("http://").unwrap().parse().unwrap();
    assert_eq!(world.get("/sim/clock").await.status, 200);
    world.sim.stop().await;
    world.sim.stopped().await;
    assert!(
        world
            .http
            .get(format!("http://{listen}/sim/clock"))
            .send()
            .await
            .is_err(),
        "also on an open connection"
    );
    World::with(SimConfig {
        listen,
        ..SimConfig::default()
    })
    .await;
}

#[tokio::test]
async fn a_simulator_stops_with_its_last_handle_and_cuts_off_who_still_waits() {
    let World { sim, http, token, .. } = World::start().await;
    let url = sim.url();
    sim.hold(Endpoint::CreatorInfo, HoldPoint::Before);
    let request = http
        .post(format!("{url}/v2/post/publish/creator_info/query/"))
        .bearer_auth(token);
    let waiting = tokio::spawn(request.send());
    sim.held(Endpoint::CreatorInfo, 1).await;
    let other = sim.clone();
    drop(sim);
    assert_eq!(
        http.get(format!("{url}/sim/clock"))
            .send()
            .await
            .unwrap()
            .status(),
        200
    );
    drop(other);
    assert!(waiting.await.unwrap().is_err());
}

#[tokio::test]
async fn a_thousand_posts_at_once_are_all_published_once() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.rate_limits = false);
    world
        .sim
        .change_account(&world.open_id, |account| account.post_cap = None);
    let posts = (0..1_000).map(|number| {
        let world = &world;
        async move { world.publish(&format!("post {number}")).await }
    });
    use futures_util::StreamExt;
    let ids: Vec<String> = futures_util::stream::iter(posts)
        .buffer_unordered(50)
        .collect()
        .await;
    let mut published: Vec<String> = world
        .sim
        .publications()
        .into_iter()
        .map(|post| post.publish_id)
        .collect();
    published.sort();
    published.dedup();
    assert_eq!((ids.len(), published.len()), (1_000, 1_000));
}

#[tokio::test]
async fn the_samples_of_the_document_do_what_they_say() {
    let world = World::start().await;
    let text = include_str!("../../../../docs/simulator.md");
    let samples: Vec<&str> = text.lines().filter(|line| line.starts_with("curl ")).collect();
    assert!(samples.len() > 7, "{samples:?}");
    for sample in samples {
        let (options, body) = sample.split_once(" -d '").unwrap_or((sample, ""));
        let body = body.trim_end_matches('\'');
        let body = (!body.is_empty()).then(|| serde_json::from_str(body).unwrap());
        let (before, path) = options.split_once("$sim").unwrap();
        let method = match before.split_once("-X ") {
            Some((_, method)) => method.trim().parse().unwrap(),
            None if body.is_some() => Method::POST,
            None => Method::GET,
        };
        let answer = world.send(method, path.trim(), body).await;
        assert_eq!(answer.status, 200, "{sample}");
    }
}
