//! Posts, from submission to outcome, with and without faults.

use super::*;

#[tokio::test]
async fn a_large_video_travels_in_pieces_and_goes_out_once() {
    let world = World::start().await;
    let accepted = world.begin(&video_draft(73_400_321)).await;
    let session = accepted.upload.unwrap();
    assert_eq!(session.chunk_count, 7);
    assert!(matches!(
        world.check(&accepted.handle).await,
        Progress::Pending { .. }
    ));
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
async fn an_upload_ends_the_same_by_either_convention_of_statuses() {
    for statuses in [ChunkStatuses::PartialContent, ChunkStatuses::Created] {
        let world = World::start().await;
        world.sim.turn(|knobs| knobs.chunk_statuses = statuses);
        for size_bytes in [1_000, 64_000_001] {
            let accepted = world.begin(&video_draft(size_bytes)).await;
            let session = accepted.upload.unwrap();
            assert_eq!(
                world.send_from(&session, 0).await,
                ChunkAnswer::Complete,
                "{statuses:?}"
            );
            world.sim.idle().await;
            assert!(matches!(
                world.check(&accepted.handle).await,
                Progress::Published { .. }
            ));
        }
        let sizes: Vec<u64> = world
            .sim
            .publications()
            .iter()
            .map(|post| post.media[0].size_bytes)
            .collect();
        assert_eq!(sizes.len(), 2);
        assert!(sizes.contains(&1_000) && sizes.contains(&64_000_001));
    }
}

#[tokio::test]
async fn a_wrong_parameter_is_told_from_a_privacy_that_the_account_lacks() {
    let text = "The request post info is empty or incorrect";
    for (privacy, code, is_quoted) in [
        ("EVERYBODY", "invalid_params", true),
        ("FOLLOWER_OF_CREATOR", "privacy_level_option_mismatch", false),
    ] {
        let world = World::start().await;
        let mut draft = video_draft(1_000);
        draft.settings = object(json!({ "privacy_level": privacy }));
        let grant = grant(&world.platform, &world.access);
        let error = world.client.begin(grant, &upload(&draft)).await.unwrap_err();
        assert_eq!((error.fate, error.code.as_str()), (Fate::Rejected, code));
        assert_eq!(error.message.contains(text), is_quoted, "{}", error.message);
        assert!(error.log_id.is_some());
        let unknown = world.client.check(grant, "v_pub_file~v2-1.1").await.unwrap_err();
        assert_eq!(
            (unknown.fate, unknown.code.as_str()),
            (Fate::Rejected, "invalid_publish_id")
        );
    }
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
