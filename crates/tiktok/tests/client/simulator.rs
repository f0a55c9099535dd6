//! The client and the simulator, which share no type, over real HTTP.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use playout_domain::media::MimeType;
use playout_domain::platform::Platform;
use playout_domain::post::Draft;
use playout_domain::provider::{
    Accepted, AuthorizationRequest, ByteStream, ChunkAnswer, Fate, Progress, Provider, ProviderEventKind,
};
use playout_domain::secret::Secret;
use playout_domain::submission::{Chunk, UploadSession};
use playout_domain::time::{Clock, ManualClock};
use playout_tiktok::sim::{Account, Endpoint, FailRule, Fault, FaultAction, SimConfig, Simulator};
use playout_tiktok::{TikTok, TikTokConfig};
use serde_json::json;

use crate::canned::{Answer, Canned, empty};
use crate::setting::{NOW, client_with, draft, grant, media, object, platform, pull, upload, video_draft};

const REDIRECT: &str = "http://localhost:8080/oauth/tiktok/callback";
const SCOPES: [&str; 6] = [
    "user.info.basic",
    "user.info.profile",
    "video.publish",
    "video.upload",
    "video.list",
    "comment.list.manage",
];

/// A provider, a client, and an account whose tokens the client holds.
struct World {
    sim: Simulator,
    client: TikTok,
    clock: ManualClock,
    platform: Platform,
    access: Secret,
    refresh: Secret,
}

impl Drop for World {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(
                self.sim.misunderstood().is_empty(),
                "{:?}",
                self.sim.misunderstood()
            );
        }
    }
}

impl World {
    async fn start() -> Self {
        Self::with(SimConfig::default()).await
    }

    async fn with(config: SimConfig) -> Self {
        let clock = ManualClock::at(NOW);
        let (key, secret) = (config.client_key.clone(), config.client_secret.clone());
        let sim = Simulator::start(config, Arc::new(clock.clone())).await.unwrap();
        sim.turn(|knobs| knobs.check_media = false);
        let url: url::Url = sim.url().parse().unwrap();
        let config = TikTokConfig {
            api_url: url.clone(),
            auth_url: url,
            ..TikTokConfig::new(key, Secret::new(secret))
        };
        let client = TikTok::new(config, Arc::new(clock.clone())).unwrap();
        let open_id = sim.add_account(Account::new("paperplanes"));
        let tokens = sim.grant(&open_id, &SCOPES);
        let mut platform = platform();
        platform.provider_account_id = open_id;
        platform
            .metadata
            .insert("username".to_owned(), json!("paperplanes"));
        Self {
            sim,
            client,
            clock,
            platform,
            access: Secret::new(tokens.access_token),
            refresh: Secret::new(tokens.refresh_token),
        }
    }

    async fn begin(&self, draft: &Draft) -> Accepted {
        let grant = grant(&self.platform, &self.access);
        self.client.begin(grant, &upload(draft)).await.unwrap()
    }

    async fn check(&self, handle: &str) -> Progress {
        self.client
            .check(grant(&self.platform, &self.access), handle)
            .await
            .unwrap()
    }

    /// Sends all pieces from `offset` on; the answer to the last.
    async fn send_from(&self, session: &UploadSession, mut offset: u64) -> ChunkAnswer {
        loop {
            let chunk = session.chunk_at(offset).unwrap();
            let answer = self.client.send(session, chunk, zeros(chunk)).await.unwrap();
            if chunk.is_last {
                return answer;
            }
            assert_eq!(answer, ChunkAnswer::Stored);
            offset += chunk.size_bytes;
        }
    }

    /// A small public video, all the way.
    async fn publish(&self) -> String {
        let accepted = self.begin(&video_draft(1_000)).await;
        let answer = self.send_from(accepted.upload.as_ref().unwrap(), 0).await;
        assert_eq!(answer, ChunkAnswer::Complete);
        accepted.handle
    }
}

/// As many zeros as `chunk` holds, in pieces.
fn zeros(chunk: Chunk) -> ByteStream {
    const PIECE: u64 = 1 << 20;
    static ZEROS: [u8; PIECE as usize] = [0; PIECE as usize];
    let pieces = (0..chunk.size_bytes.div_ceil(PIECE)).map(move |n| {
        let size = PIECE.min(chunk.size_bytes - n * PIECE);
        Ok(Bytes::from_static(&ZEROS[..usize::try_from(size).unwrap()]))
    });
    stream::iter(pieces).boxed()
}

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
async fn a_large_video_travels_in_pieces_and_goes_out_once() {
    let world = World::start().await;
    let accepted = world.begin(&video_draft(73_400_321)).await;
    let session = accepted.upload.unwrap();
    assert_eq!(session.chunk_count, 7);
    assert_eq!(world.check(&accepted.handle).await, Progress::Pending);
    assert_eq!(world.send_from(&session, 0).await, ChunkAnswer::Complete);
    world.sim.idle().await;
    let published = world.sim.publications();
    assert_eq!(published.len(), 1);
    let expected = Progress::Published {
        release_id: Some(published[0].post_id.clone()),
        release_url: Some(format!("{}{}", world.sim.url(), published[0].path())),
    };
    assert_eq!(world.check(&accepted.handle).await, expected);
    assert_eq!(published[0].caption, "Kite day #kites");
    assert_eq!(published[0].media[0].size_bytes, 73_400_321);
    assert!(!published[0].info.disable_comment && published[0].info.disable_duet);
}

#[tokio::test]
async fn an_upload_goes_on_where_the_provider_says_it_is() {
    let world = World::start().await;
    let accepted = world.begin(&video_draft(73_400_321)).await;
    let session = accepted.upload.unwrap();
    let first = session.chunk_at(0).unwrap();
    world
        .sim
        .inject(Fault::new(Endpoint::Upload, FaultAction::DropAfter));
    let lost = world
        .client
        .send(&session, first, zeros(first))
        .await
        .unwrap_err();
    assert_eq!(lost.fate, Fate::Unknown);
    let again = world.client.send(&session, first, zeros(first)).await.unwrap();
    assert_eq!(again, ChunkAnswer::Expected(Some(10_000_000)));
    assert_eq!(world.send_from(&session, 10_000_000).await, ChunkAnswer::Complete);
    world.sim.idle().await;
    assert_eq!(world.sim.publication_count(), 1);
}

#[tokio::test]
async fn a_lost_answer_to_the_last_byte_is_settled_by_asking() {
    let world = World::start().await;
    let accepted = world.begin(&video_draft(1_000)).await;
    let session = accepted.upload.unwrap();
    let chunk = session.chunk_at(0).unwrap();
    world
        .sim
        .inject(Fault::new(Endpoint::UploadLast, FaultAction::DropAfter));
    let lost = world
        .client
        .send(&session, chunk, zeros(chunk))
        .await
        .unwrap_err();
    assert_eq!(lost.fate, Fate::Unknown);
    world.sim.idle().await;
    assert!(matches!(
        world.check(&accepted.handle).await,
        Progress::Published { .. }
    ));
    let again = world.client.send(&session, chunk, zeros(chunk)).await.unwrap();
    assert_ne!(again, ChunkAnswer::Stored);
    assert_eq!(world.sim.publication_count(), 1);
}

#[tokio::test]
async fn an_expired_upload_address_is_gone() {
    let world = World::start().await;
    let session = world.begin(&video_draft(1_000)).await.upload.unwrap();
    world.clock.advance(Duration::from_secs(3_601));
    let chunk = session.chunk_at(0).unwrap();
    let answer = world.client.send(&session, chunk, zeros(chunk)).await.unwrap();
    assert_eq!(answer, ChunkAnswer::Gone);
}

/// What the provider fetches for a photo; it does not look into the bytes here.
fn photo() -> Answer {
    Answer::Send(200, "Content-Type: image/jpeg\r\n".to_owned(), "jpeg".to_owned())
}

#[tokio::test]
async fn photos_are_fetched_and_go_out_with_their_title() {
    let world = World::start().await;
    let shelf = Canned::start(vec![photo(), photo()]).await;
    let urls = vec![
        format!("{}/m/t/0.jpg", shelf.url),
        format!("{}/m/t/1.jpg", shelf.url),
    ];
    let picture = media(MimeType::Jpeg, 4);
    let settings = json!({ "privacy_level": "PUBLIC_TO_EVERYONE", "title": "Wind", "is_aigc": true });
    let draft = draft(vec![picture.clone(), picture], settings);
    let grant = grant(&world.platform, &world.access);
    let accepted = world.client.begin(grant, &pull(&draft, urls)).await.unwrap();
    world.sim.idle().await;
    let published = world.sim.publications();
    assert_eq!(published.len(), 1, "{:?}", world.check(&accepted.handle).await);
    assert_eq!(published[0].info.title, "Wind");
    assert_eq!(published[0].info.description, "Kite day #kites");
    assert!(published[0].info.is_aigc && published[0].info.auto_add_music);
    let Progress::Published { release_url, .. } = world.check(&accepted.handle).await else {
        panic!("it is out");
    };
    assert!(release_url.unwrap().contains("/photo/"));
}

#[tokio::test]
async fn a_draft_waits_in_the_inbox_until_the_creator_posts_it() {
    let world = World::start().await;
    let mut draft = video_draft(1_000);
    draft.settings = object(json!({ "post_mode": "MEDIA_UPLOAD" }));
    let accepted = world.begin(&draft).await;
    let session = accepted.upload.unwrap();
    assert_eq!(world.send_from(&session, 0).await, ChunkAnswer::Complete);
    world.sim.idle().await;
    assert_eq!(world.check(&accepted.handle).await, Progress::InInbox);
    assert!(
        world
            .sim
            .finish_draft(&accepted.handle, Some("Mine"), "PUBLIC_TO_EVERYONE")
    );
    world.sim.idle().await;
    assert!(matches!(
        world.check(&accepted.handle).await,
        Progress::Published {
            release_id: Some(_),
            ..
        }
    ));
}

#[tokio::test]
async fn a_failed_post_tells_its_reason() {
    for (reason, fate) in [
        ("spam_risk_text", Fate::Rejected),
        ("internal", Fate::Repeatable),
        ("picture_size_check_failed", Fate::Rejected),
    ] {
        let world = World::start().await;
        world.sim.fail(FailRule {
            reason: reason.to_owned(),
            account: None,
            caption_contains: None,
            times: None,
        });
        let handle = world.publish().await;
        world.sim.idle().await;
        let Progress::Failed(error) = world.check(&handle).await else {
            panic!("{reason}: it failed");
        };
        assert_eq!((error.fate, error.code.as_str()), (fate, reason));
    }
}

#[tokio::test]
async fn what_the_provider_refuses_is_named() {
    type Change = fn(&mut Account);
    let changes: [(Change, &str); 3] = [
        (
            |account| account.banned = true,
            "spam_risk_user_banned_from_posting",
        ),
        (|account| account.post_cap = Some(0), "spam_risk_too_many_posts"),
        (|account| account.private = true, "privacy_level_option_mismatch"),
    ];
    for (change, code) in changes {
        let world = World::start().await;
        world
            .sim
            .change_account(&world.platform.provider_account_id, change);
        let grant = grant(&world.platform, &world.access);
        let draft = video_draft(1_000);
        let error = world.client.begin(grant, &upload(&draft)).await.unwrap_err();
        assert_eq!(error.code, code);
        assert!(error.log_id.is_some());
    }
    let unaudited = SimConfig {
        audited: false,
        ..SimConfig::default()
    };
    let world = World::with(unaudited).await;
    let grant = grant(&world.platform, &world.access);
    let draft = video_draft(1_000);
    let error = world.client.begin(grant, &upload(&draft)).await.unwrap_err();
    assert_eq!(error.code, "unaudited_client_can_only_post_to_private_accounts");
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
async fn a_comment_appears_under_the_public_post() {
    let world = World::start().await;
    let handle = world.publish().await;
    world.sim.idle().await;
    let Progress::Published {
        release_id: Some(id), ..
    } = world.check(&handle).await
    else {
        panic!("it is public");
    };
    let grant = grant(&world.platform, &world.access);
    let comment = world.client.comment(grant, &id, "First!").await.unwrap();
    let snapshot = world.sim.account("paperplanes").unwrap();
    let comments = snapshot.comments();
    assert_eq!(
        (comments.len(), comments[0].comment_id.as_str()),
        (1, comment.as_str())
    );
    assert_eq!(comments[0].text, "First!");
    let refused = world.client.comment(grant, "1", "Nowhere").await.unwrap_err();
    assert_eq!(refused.fate, Fate::Rejected);
    world
        .sim
        .inject(Fault::new(Endpoint::CommentCreate, FaultAction::DropAfter));
    let lost = world.client.comment(grant, &id, "Second").await.unwrap_err();
    assert_eq!(lost.fate, Fate::Unknown);
}

#[tokio::test]
async fn a_post_that_is_out_is_found_among_the_recent_ones() {
    let world = World::start().await;
    world.publish().await;
    world.sim.idle().await;
    let grant = grant(&world.platform, &world.access);
    let posts = world.client.recent_posts(grant, NOW).await.unwrap().unwrap();
    let published = world.sim.publications();
    assert_eq!(posts.len(), 1);
    assert_eq!(posts[0].release_id, published[0].post_id);
    assert_eq!(posts[0].content, "Kite day #kites");
    assert_eq!(
        posts[0].release_url,
        Some(format!("{}{}", world.sim.url(), published[0].path()))
    );
    let later = NOW.plus(Duration::from_secs(5));
    assert_eq!(world.client.recent_posts(grant, later).await, Ok(Some(vec![])));
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
async fn a_lost_answer_to_a_hand_over_is_unknown_and_was_asked_once() {
    for action in [
        FaultAction::Drop,
        FaultAction::DropAfter,
        FaultAction::Html { status: 502 },
    ] {
        let world = World::start().await;
        world.sim.inject(Fault::new(Endpoint::VideoInit, action));
        let grant = grant(&world.platform, &world.access);
        let draft = video_draft(1_000);
        let error = world.client.begin(grant, &upload(&draft)).await.unwrap_err();
        assert_eq!(error.fate, Fate::Unknown);
        let inits = world.sim.journal().into_iter();
        assert_eq!(
            inits
                .filter(|entry| entry.endpoint == Some(Endpoint::VideoInit))
                .count(),
            1
        );
    }
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
