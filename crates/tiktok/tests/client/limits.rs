//! Keeping below the provider's limits, and what happens when it still answers "too many".

use std::time::Duration;

use playout_domain::provider::{Fate, Provider, ProviderError};
use playout_domain::time::ManualClock;
use playout_tiktok::{TikTok, TikTokConfig};

use crate::canned::{Canned, api_error, gateway_html};
use crate::setting::{access, client_at, client_with, config, grant, platform, upload, video_draft};

async fn begin(client: &TikTok) -> ProviderError {
    let (platform, access, draft) = (platform(), access(), video_draft(1_000));
    client
        .begin(grant(&platform, &access), &upload(&draft))
        .await
        .unwrap_err()
}

async fn refusing_server(times: usize) -> Canned {
    Canned::start((0..times).map(|_| api_error(400, "invalid_params")).collect()).await
}

async fn exhausted() -> (TikTok, ManualClock, Canned) {
    let server = refusing_server(7).await;
    let (client, clock) = client_at(&server.url);
    for _ in 0..6 {
        assert_eq!(begin(&client).await.fate, Fate::Rejected);
    }
    (client, clock, server)
}

#[tokio::test]
async fn the_seventh_hand_over_within_a_minute_is_held_back_without_a_request() {
    let (client, clock, server) = exhausted().await;
    let Fate::Throttled(wait) = begin(&client).await.fate else {
        panic!("it must wait");
    };
    assert!(wait >= Duration::from_secs(60) && wait < Duration::from_secs(61));
    assert_eq!(server.seen().len(), 6);
    clock.advance(wait);
    assert_eq!(begin(&client).await.fate, Fate::Rejected);
    assert_eq!(server.seen().len(), 7);
}

#[tokio::test]
async fn other_accounts_are_not_held_back() {
    let (client, _clock, server) = exhausted().await;
    let (mut other, access, draft) = (platform(), access(), video_draft(1_000));
    other.provider_account_id = "-000Other".to_owned();
    let error = client
        .begin(grant(&other, &access), &upload(&draft))
        .await
        .unwrap_err();
    assert_eq!(error.fate, Fate::Rejected);
    assert_eq!(server.seen().len(), 7);
}

#[tokio::test]
async fn the_brake_can_be_switched_off() {
    let server = refusing_server(7).await;
    let (client, _clock) = client_with(TikTokConfig {
        rate_limits: false,
        ..config(&server.url)
    });
    for _ in 0..7 {
        assert_eq!(begin(&client).await.fate, Fate::Rejected);
    }
}

#[tokio::test]
async fn a_throttled_account_is_left_alone_for_a_minute_and_a_little_more() {
    for answer in [api_error(429, "rate_limit_exceeded"), gateway_html(429)] {
        let server = Canned::start(vec![answer]).await;
        let (client, _clock) = client_at(&server.url);
        let Fate::Throttled(wait) = begin(&client).await.fate else {
            panic!("it must wait");
        };
        assert!((60..=75).contains(&wait.as_secs()), "{wait:?}");
    }
}
