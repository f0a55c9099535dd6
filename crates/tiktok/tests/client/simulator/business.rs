//! The business connection and the simulator's business side, which share no type.

use std::time::Duration;

use playout_domain::platform::{Capability, Connection};
use playout_domain::provider::{AuthorizationRequest, Commented, TokenSet};
use playout_tiktok::{BusinessApp, TikTokBusiness};

use super::*;
use crate::canned::json as answer;

const CALLBACK: &str = "http://localhost:8080/oauth/tiktok/callback/";

/// A provider, a client of its business side, and an account that was connected by its consent page.
struct Business {
    sim: Simulator,
    client: TikTokBusiness,
    tokens: TokenSet,
    platform: Platform,
}

impl Drop for Business {
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

impl Business {
    async fn start() -> Self {
        let clock = ManualClock::at(NOW);
        let config = SimConfig::default();
        let app = BusinessApp {
            client_id: config.business_client_id.clone(),
            client_secret: Secret::new(&config.business_client_secret),
        };
        let sim = Simulator::start(config, Arc::new(clock.clone())).await.unwrap();
        sim.turn(|knobs| knobs.check_media = false);
        let url: url::Url = sim.url().parse().unwrap();
        let config = TikTokConfig {
            api_url: url.clone(),
            auth_url: url,
            ..TikTokConfig::new("", Secret::new(""))
        };
        let client = TikTokBusiness::new(app, config, Arc::new(clock.clone())).unwrap();
        let tokens = exchange(&sim, &client).await;
        let profile = client.profile(&tokens).await.unwrap();
        let mut platform = platform();
        platform.connection = Connection::Business;
        platform
            .provider_account_id
            .clone_from(&profile.provider_account_id);
        platform.capabilities = profile.capabilities;
        platform.metadata = profile.metadata;
        Self {
            sim,
            client,
            tokens,
            platform,
        }
    }

    fn grant(&self) -> playout_domain::provider::Grant<'_> {
        grant(&self.platform, &self.tokens.access)
    }

    /// A small public video, all the way: its handle.
    async fn publish(&self, host: &Canned) -> String {
        let urls = vec![format!("{}/0.mp4", host.url)];
        let draft = video_draft(1_000);
        let accepted = self
            .client
            .begin(self.grant(), &pull(&draft, urls))
            .await
            .unwrap();
        self.sim.idle().await;
        accepted.handle
    }

    async fn published(&self) -> String {
        let host = Canned::start(vec![answer(200, "bytes")]).await;
        let handle = self.publish(&host).await;
        let progress = self.client.check(self.grant(), &handle).await.unwrap();
        let Progress::Published {
            release_id: Some(id), ..
        } = progress
        else {
            panic!("it is public: {progress:?}");
        };
        id
    }
}

async fn exchange(sim: &Simulator, client: &TikTokBusiness) -> TokenSet {
    let verifier = Secret::new("unused");
    let request = AuthorizationRequest {
        state: "s",
        verifier: &verifier,
        redirect_uri: CALLBACK,
    };
    let url = client.authorization_url(&request);
    let back = sim.approve(&url, "kitestudio", &[]).expect("the consent page");
    let back = url::Url::parse(&back).unwrap();
    let code = back
        .query_pairs()
        .find(|(name, _)| name == "code")
        .unwrap()
        .1
        .into_owned();
    client.exchange(&request, &code).await.unwrap()
}

#[tokio::test]
async fn an_account_is_connected_renewed_and_given_back() {
    let world = Business::start().await;
    let account = world.sim.account("kitestudio").unwrap().account;
    assert_eq!(world.tokens.provider_account_id, account.business_id);
    assert_ne!(
        account.business_id, account.open_id,
        "each app sees an identifier of its own"
    );
    assert!(world.platform.can(Capability::Comments) && world.platform.can(Capability::InboxDraft));
    let creator = world.sim.grant(&account.open_id, &super::SCOPES);
    let old = world.tokens.refresh.clone().unwrap();
    let next = world.client.refresh(&old).await.unwrap();
    assert_eq!(next.provider_account_id, account.business_id);
    let again = world.client.refresh(&old).await.unwrap_err();
    assert_eq!(again.fate, Fate::Reauthorize, "a refresh token works once");
    world.client.revoke(&next.access).await.unwrap();
    let dead = world
        .client
        .options(grant(&world.platform, &next.access))
        .await
        .unwrap_err();
    assert_eq!(dead.fate, Fate::StaleToken);
    let (creators, _clock) = client_with(TikTokConfig {
        api_url: world.sim.url().parse().unwrap(),
        auth_url: world.sim.url().parse().unwrap(),
        ..TikTokConfig::new("sim_client_key", Secret::new("sim_client_secret"))
    });
    let mut other = platform();
    other.provider_account_id = account.open_id;
    let access = Secret::new(creator.access_token);
    assert!(
        creators.options(grant(&other, &access)).await.is_ok(),
        "the other app keeps what it was granted"
    );
}

#[tokio::test]
async fn a_video_goes_out_publicly_and_comments_follow_under_it() {
    let world = Business::start().await;
    let id = world.published().await;
    let out = world.sim.publications().remove(0);
    assert_eq!(
        (out.post_id.as_str(), out.info.privacy_level.as_str()),
        (id.as_str(), "PUBLIC_TO_EVERYONE")
    );
    let listed = world
        .client
        .recent_posts(world.grant(), NOW)
        .await
        .unwrap()
        .unwrap()
        .posts;
    assert_eq!(
        (listed[0].release_id.as_str(), listed[0].content.as_str()),
        (id.as_str(), "Kite day #kites")
    );
    let first = world.client.comment(world.grant(), &id, "First!").await.unwrap();
    world.sim.turn(|knobs| knobs.hide_comments = true);
    let hidden = world.client.comment(world.grant(), &id, "Second").await.unwrap();
    assert_eq!(
        (first.notice, hidden.notice.unwrap().code),
        (None, "comment_hidden")
    );
    world
        .sim
        .inject(Fault::new(Endpoint::CommentCreate, FaultAction::DropAfter));
    let lost = world
        .client
        .comment(world.grant(), &id, "Third")
        .await
        .unwrap_err();
    assert_eq!(lost.fate, Fate::Unknown);
    let own = world
        .client
        .own_comments(world.grant(), &id, NOW)
        .await
        .unwrap()
        .unwrap();
    let texts: Vec<&str> = own.comments.iter().map(|own| own.text.as_str()).collect();
    assert_eq!(
        texts,
        ["Third", "Second", "First!"],
        "the newest first, hidden ones too"
    );
    let refused = world
        .client
        .comment(world.grant(), "1", "Nowhere")
        .await
        .unwrap_err();
    assert_eq!(refused.fate, Fate::Rejected);
    let since = NOW.plus(Duration::from_secs(1));
    let none = world.client.own_comments(world.grant(), &id, since).await;
    assert!(none.unwrap().unwrap().comments.is_empty());
    assert!(
        matches!(own.comments[0].comment, Commented { notice: Some(_), .. }),
        "what is hidden says so in the list too"
    );
}

#[tokio::test]
async fn what_cannot_be_fetched_fails_and_a_draft_lies_in_the_inbox() {
    let world = Business::start().await;
    let host = Canned::start(vec![empty(404, "")]).await;
    let handle = world.publish(&host).await;
    let Progress::Failed(error) = world.client.check(world.grant(), &handle).await.unwrap() else {
        panic!("nothing was there to be fetched");
    };
    assert_eq!(error.code, "video_pull_failed");
    let host = Canned::start(vec![answer(200, "bytes")]).await;
    let draft = draft(
        vec![media(MimeType::Mp4, 1_000)],
        json!({ "post_mode": "MEDIA_UPLOAD" }),
    );
    let urls = vec![format!("{}/0.mp4", host.url)];
    let accepted = world
        .client
        .begin(world.grant(), &pull(&draft, urls))
        .await
        .unwrap();
    world.sim.idle().await;
    assert_eq!(
        world.client.check(world.grant(), &accepted.handle).await,
        Ok(Progress::InInbox)
    );
}
