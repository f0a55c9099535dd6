use playout_domain::id::SubmissionId;
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use uuid::Uuid;

use super::*;
use crate::validate::tests::{draft, image, video};

fn config(transfer: TransferChoice, base_url: &str) -> TikTokConfig {
    TikTokConfig {
        transfer,
        base_url: Some(base_url.parse().unwrap()),
        ..TikTokConfig::new("k", Secret::new("s"))
    }
}

fn tried(transfer: Transfer, code: &str) -> Submission {
    Submission {
        id: SubmissionId(Uuid::nil()),
        post_id: Uuid::nil().into(),
        content: None,
        platform_id: Uuid::nil().into(),
        transfer,
        handle: None,
        upload: None,
        sent_bytes: 0,
        last_byte_at: None,
        fetched_at: None,
        revoked_at: None,
        started_at: Time::from_secs(1),
        closed_at: None,
        outcome: None,
        code: Some(code.to_owned()),
        message: None,
        log_id: None,
        next_retry_at: None,
    }
}

#[test]
fn each_way_says_why_it_was_taken() {
    let way = |choice, media_type| way(&config(choice, "https://p.example.org"), media_type, &[]);
    for (choice, media_type, transfer, why) in [
        (
            TransferChoice::Auto,
            MediaType::Video,
            Transfer::Upload,
            "can be resumed",
        ),
        (
            TransferChoice::Upload,
            MediaType::Video,
            Transfer::Upload,
            "TRANSFER=upload",
        ),
        (
            TransferChoice::Pull,
            MediaType::Video,
            Transfer::Pull,
            "TRANSFER=pull",
        ),
        (
            TransferChoice::Auto,
            MediaType::Image,
            Transfer::Pull,
            "only by fetching",
        ),
        (
            TransferChoice::Upload,
            MediaType::Image,
            Transfer::Pull,
            "only by fetching",
        ),
    ] {
        let way = way(choice, media_type);
        assert_eq!(way.transfer, transfer, "{choice:?} {media_type:?}");
        assert!(way.reason.unwrap().contains(why), "{way:?}");
    }
}

#[test]
fn a_video_that_was_not_fetched_is_uploaded_and_photos_are_waited_for() {
    let config = config(TransferChoice::Pull, "https://p.example.org");
    for (transfer, code, next) in [
        (Transfer::Pull, "video_pull_failed", Transfer::Upload),
        (Transfer::Pull, PULL_UNFETCHED.code, Transfer::Upload),
        (Transfer::Pull, "internal", Transfer::Pull),
        (Transfer::Pull, "interrupted", Transfer::Pull),
        (Transfer::Upload, "video_pull_failed", Transfer::Pull),
    ] {
        let tries = [tried(transfer, code)];
        assert_eq!(
            way(&config, MediaType::Video, &tries).transfer,
            next,
            "{transfer:?} {code}"
        );
        assert_eq!(
            way(&config, MediaType::Image, &tries).transfer,
            Transfer::Pull,
            "{code}"
        );
    }
}

#[test]
fn only_https_below_a_public_domain_name_can_be_fetched() {
    for base in [
        "https://playout.kites.org",
        "https://m.kites.co.uk:8443/below",
        "https://KITES.ORG.",
    ] {
        assert!(is_fetchable(&base.parse().unwrap()), "{base}");
    }
    for base in [
        "http://playout.kites.org",
        "http://localhost:8080",
        "https://localhost",
        "https://playout.localhost",
        "https://192.0.2.7",
        "https://[2001:db8::1]",
        "https://playout",
        "https://nas.local",
    ] {
        assert!(!is_fetchable(&base.parse().unwrap()), "{base}");
    }
}

#[test]
fn what_can_never_be_fetched_is_a_problem_of_the_media_that_names_who_must_act() {
    let private = |transfer| config(transfer, "http://localhost:8080");
    let photos = draft(vec![image()]);
    let clip = draft(vec![video()]);
    let found = problem(&private(TransferChoice::Auto), &photos).unwrap();
    assert_eq!((found.part, found.issue.path.len()), (Part::Media, 1));
    for word in [
        "operator",
        "PLAYOUT_BASE_URL",
        "http://localhost:8080. ",
        "URL properties",
    ] {
        assert!(found.issue.message.contains(word), "{}", found.issue.message);
    }
    assert!(
        problem(&private(TransferChoice::Auto), &clip).is_none(),
        "it is uploaded"
    );
    let pulled = problem(&private(TransferChoice::Pull), &clip).unwrap();
    assert!(pulled.issue.message.contains("or let videos be uploaded"));
    let public = config(TransferChoice::Pull, "https://playout.kites.org");
    assert!(problem(&public, &photos).is_none() && problem(&public, &clip).is_none());
    let simulated = TikTokConfig {
        api_url: "http://127.0.0.1:9100".parse().unwrap(),
        ..private(TransferChoice::Pull)
    };
    assert!(
        problem(&simulated, &photos).is_none(),
        "a simulator fetches from anywhere"
    );
    let unsaid = TikTokConfig::new("k", Secret::new("s"));
    assert!(problem(&unsaid, &photos).is_none());
}

#[test]
fn a_business_account_is_posted_to_only_from_where_its_media_can_be_fetched() {
    assert_eq!(BUSINESS.transfer, Transfer::Pull);
    for media in [video(), image()] {
        let post = draft(vec![media]);
        let from = |address: &str| business_problem(&config(TransferChoice::Auto, address), &post);
        assert_eq!(from("https://p.example.org"), None);
        let problem = from("http://localhost:8080").unwrap();
        assert_eq!(problem.part, Part::Media);
        let message = problem.issue.message;
        assert!(
            message.contains("business-api.tiktok.com") && message.contains("localhost"),
            "{message}"
        );
    }
}
