//! Connecting accounts, their notifications, and what they show.

use super::*;

const REDIRECT: &str = "http://localhost:8080/oauth/tiktok/callback";

fn query(url: &str, key: &str) -> Option<String> {
    let url: url::Url = url.parse().ok()?;
    url.query_pairs()
        .find_map(|(name, value)| (name == key).then(|| value.into_owned()))
}

#[tokio::test]
async fn an_account_is_connected_refreshed_and_given_back() {
    let world = World::start().await;
    let verifier = Secret::new("verifier-of-forty-three-characters-or-longer-1");
    let request = AuthorizationRequest {
        state: "a&b=c",
        verifier: &verifier,
        redirect_uri: REDIRECT,
    };
    let url = world.client.authorization_url(&request);
    let back = world
        .sim
        .approve(&url, "paperplanes", &[])
        .expect("consent is given");
    assert_eq!(query(&back, "state").as_deref(), Some("a&b=c"));
    let code = query(&back, "code").unwrap();
    let first = world.client.exchange(&request, &code).await.unwrap();
    assert_eq!(first.provider_account_id, world.platform.provider_account_id);
    assert_eq!(first.access_expires_at, NOW.plus(Duration::from_secs(86_400)));
    let spent = world.client.exchange(&request, &code).await.unwrap_err();
    assert_eq!(spent.fate, Fate::Reauthorize);

    let profile = world.client.profile(&first).await.unwrap();
    assert_eq!(profile.display_handle.as_deref(), Some("paperplanes"));
    assert_eq!(profile.metadata["maxVideoPostDurationSec"], 600);

    let old = first.refresh.unwrap();
    let second = world.client.refresh(&old).await.unwrap();
    assert_ne!(second.access, first.access);
    let rotated = world.client.refresh(&old).await.unwrap_err();
    assert_eq!(
        (rotated.fate, rotated.code.as_str()),
        (Fate::Reauthorize, "invalid_grant")
    );

    world.client.revoke(&second.access).await.unwrap();
    let error = world.client.profile(&second).await.unwrap_err();
    assert_eq!(error.fate, Fate::StaleToken);
}

#[tokio::test]
async fn the_challenge_is_hexadecimal_and_taken_by_every_setting_with_and_without_the_slash() {
    let verifier = Secret::new("verifier-of-forty-three-characters-or-longer-1");
    let request = AuthorizationRequest {
        state: "s",
        verifier: &verifier,
        redirect_uri: REDIRECT,
    };
    for mode in [Pkce::Off, Pkce::Hex, Pkce::Both, Pkce::Required] {
        let world = World::start().await;
        world.sim.turn(|knobs| knobs.pkce = mode);
        let url = world.client.authorization_url(&request);
        let challenge = query(&url, "code_challenge").unwrap();
        assert_eq!(challenge.len(), 64);
        assert!(challenge.bytes().all(|b| b"0123456789abcdef".contains(&b)));
        for url in [url.clone(), url.replace("/authorize/?", "/authorize?")] {
            let back = world.sim.approve(&url, "paperplanes", &[]).expect("consent");
            let code = query(&back, "code").unwrap();
            let tokens = world.client.exchange(&request, &code).await;
            assert!(tokens.is_ok(), "{mode:?} {url}: {tokens:?}");
        }
    }
}

#[tokio::test]
async fn events_of_a_moved_clock_are_not_believed_until_the_simulator_is_reset() {
    let world = World::start().await;
    let hook = Canned::start((0..2).map(|_| empty(200, "")).collect()).await;
    let open_id = world.platform.provider_account_id.clone();
    let mut believed = Vec::new();
    for reset in [false, true] {
        match reset {
            false => world.sim.advance(Duration::from_secs(600)),
            true => world.sim.reset(),
        }
        world.sim.turn(|knobs| knobs.webhook_url = Some(hook.url.clone()));
        let reason = json!({ "reason": 1 });
        world.sim.send_event(&open_id, "authorization.removed", &reason);
        world.sim.idle().await;
        let request = hook.seen().pop().unwrap();
        let header = |name: &str| request.header(name).map(str::to_owned);
        let event = world.client.read_event(&header, &request.body, world.clock.now());
        believed.push(event.map(|event| event.kind));
    }
    assert_eq!(believed, [None, Some(ProviderEventKind::Revoked)]);
}

#[tokio::test]
async fn a_wrong_verifier_buys_nothing() {
    let world = World::start().await;
    let verifier = Secret::new("verifier-of-forty-three-characters-or-longer-1");
    let other = Secret::new("verifier-of-forty-three-characters-or-longer-2");
    let mut request = AuthorizationRequest {
        state: "s",
        verifier: &verifier,
        redirect_uri: REDIRECT,
    };
    let url = world.client.authorization_url(&request);
    let back = world.sim.approve(&url, "paperplanes", &[]).unwrap();
    request.verifier = &other;
    let error = world
        .client
        .exchange(&request, &query(&back, "code").unwrap())
        .await
        .unwrap_err();
    assert_eq!(error.code, "invalid_request");
}

#[tokio::test]
async fn a_stale_token_is_told_from_a_withdrawn_grant() {
    let world = World::start().await;
    let handle = world.publish().await;
    let open_id = &world.platform.provider_account_id;
    world.sim.expire_access_token(open_id);
    let stale = grant(&world.platform, &world.access);
    let error = world.client.check(stale, &handle).await.unwrap_err();
    assert_eq!(error.fate, Fate::StaleToken);
    let next = world.client.refresh(&world.refresh).await.unwrap();
    let fresh = grant(&world.platform, &next.access);
    assert!(matches!(
        world.client.check(fresh, &handle).await,
        Ok(Progress::Published { .. })
    ));
    world.sim.disconnect(open_id, 1);
    let error = world.client.refresh(&next.refresh.unwrap()).await.unwrap_err();
    assert_eq!(error.fate, Fate::Reauthorize);
}

#[tokio::test]
async fn a_post_that_is_out_is_found_among_the_recent_ones() {
    let world = World::start().await;
    world.publish().await;
    world.sim.idle().await;
    let grant = grant(&world.platform, &world.access);
    let posts = world.client.recent_posts(grant, NOW).await.unwrap().unwrap();
    let published = world.sim.publications();
    assert_eq!((posts.posts.len(), posts.whole_since), (1, Some(NOW)));
    let posts = posts.posts;
    assert_eq!(posts[0].release_id, published[0].post_id);
    assert_eq!(posts[0].content, "Kite day #kites");
    assert_eq!(
        posts[0].release_url,
        Some(format!("{}{}", world.sim.url(), published[0].path()))
    );
    let later = NOW.plus(Duration::from_secs(5));
    let listed = world.client.recent_posts(grant, later).await.unwrap().unwrap();
    assert_eq!(listed.posts, []);
}

#[tokio::test]
async fn signed_events_are_read_as_they_are_sent() {
    let world = World::start().await;
    let hook = Canned::start((0..3).map(|_| empty(200, "")).collect()).await;
    world
        .sim
        .turn(|knobs| knobs.webhook_url = Some(format!("{}/webhooks/tiktok", hook.url)));
    let handle = world.publish().await;
    world.sim.idle().await;
    let open_id = world.platform.provider_account_id.clone();
    world.sim.disconnect(&open_id, 1);
    world.sim.idle().await;
    let post_id = world.sim.publications()[0].post_id.clone();
    let mut kinds = Vec::new();
    for request in hook.seen() {
        let header = |name: &str| request.header(name).map(str::to_owned);
        let event = world
            .client
            .read_event(&header, &request.body, world.clock.now())
            .unwrap();
        assert_eq!(event.provider_account_id, open_id);
        kinds.push(event.kind);
        let (stranger, _clock) = client_with(TikTokConfig::new("sim_client_key", Secret::new("guess")));
        assert_eq!(
            stranger.read_event(&header, &request.body, world.clock.now()),
            None
        );
    }
    let published = |release_id| ProviderEventKind::Submission {
        handle: handle.clone(),
        progress: Progress::Published {
            release_id,
            release_url: None,
        },
    };
    assert!(kinds.contains(&published(None)), "{kinds:?}");
    assert!(kinds.contains(&published(Some(post_id))), "{kinds:?}");
    assert!(kinds.contains(&ProviderEventKind::Revoked), "{kinds:?}");
}

#[tokio::test]
async fn our_brake_keeps_below_the_providers_limits() {
    let world = World::start().await;
    let draft = video_draft(1_000);
    let grant = grant(&world.platform, &world.access);
    let mut held_back = 0;
    for _ in 0..20 {
        match world.client.begin(grant, &upload(&draft)).await {
            Ok(_) => {}
            Err(error) => {
                let Fate::Throttled(wait) = error.fate else {
                    panic!("{error:?}");
                };
                held_back += 1;
                world.clock.advance(wait);
            }
        }
    }
    assert!(held_back >= 2);
    assert!(world.sim.journal().iter().all(|entry| entry.status != 429));
}
