//! The part of the provider's interface that needs no request.

use std::time::Duration;

use playout_domain::media::MediaType;
use playout_domain::provider::Provider;
use playout_domain::submission::Transfer;
use playout_domain::time::Time;
use playout_tiktok::{TransferChoice, errors};

use crate::setting::{client_at, client_with, config};

#[tokio::test]
async fn videos_travel_as_configured_and_photos_are_always_fetched() {
    for (choice, video) in [
        (TransferChoice::Auto, Transfer::Upload),
        (TransferChoice::Upload, Transfer::Upload),
        (TransferChoice::Pull, Transfer::Pull),
    ] {
        let mut config = config("http://127.0.0.1:9");
        config.transfer = choice;
        let (client, _clock) = client_with(config);
        assert_eq!(client.transfer(MediaType::Video), video);
        assert_eq!(client.transfer(MediaType::Image), Transfer::Pull);
    }
}

#[tokio::test]
async fn patience_lasts_longer_for_pulls_and_never_breaks_the_status_limit() {
    let (client, _clock) = client_at("http://127.0.0.1:9");
    assert_eq!(
        client.check_policy(Transfer::Upload).window,
        Duration::from_secs(45 * 60)
    );
    let pull = client.check_policy(Transfer::Pull);
    assert_eq!(pull.window, Duration::from_secs(90 * 60));
    let first_minute = pull.pauses.iter().scan(Duration::ZERO, |at, pause| {
        *at += *pause;
        Some(*at)
    });
    assert!(first_minute.filter(|at| at.as_secs() < 60).count() <= 30);
    assert!(pull.pauses.is_sorted());
}

#[tokio::test]
async fn an_unsigned_notification_is_not_genuine() {
    let (client, _clock) = client_at("http://127.0.0.1:9");
    assert_eq!(client.read_event(&|_| None, b"{}", Time::from_secs(0)), None);
}

#[test]
fn the_table_can_be_listed() {
    let table = errors::table();
    assert!(table.len() >= 55);
    assert!(
        table
            .iter()
            .any(|entry| entry.row.code == "picture_size_check_failed")
    );
}
