//! Grants are revoked at the provider: at once where it answers, and with retries where it does not.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};

use crate::harness::{Db, Person, TestApp, on_both};

on_both!(
    a_provider_that_cannot_be_reached_is_asked_again_until_it_has_ended_it,
    giving_back_survives_a_restart,
    a_try_that_died_with_its_process_is_made_again,
    access_that_has_ended_is_renewed_to_be_given_back,
    access_that_has_died_by_itself_is_forgotten,
    what_the_user_has_taken_back_already_is_forgotten,
    a_deleted_workspaces_access_is_given_back_however_long_it_takes,
    an_account_is_not_connected_again_while_its_access_is_being_given_back,
    what_is_connected_again_is_not_given_back_later,
    a_pair_bought_while_its_account_is_removed_is_given_back_too,
);

const HOUR: Duration = Duration::from_secs(3600);

async fn with_account(t: &TestApp) -> (Person, String) {
    let ada = t.sign_up("ada@example.org").await;
    let platform = t.connected_as(&ada, "kitestudio").await;
    (ada, format!("/app/v1/platforms/{platform}"))
}

/// The provider fails `times` requests to revoke a grant.
fn fail(t: &TestApp, times: u32) {
    let action = FaultAction::Answer {
        status: 503,
        code: "server_error".to_owned(),
        message: String::new(),
    };
    t.sim.inject(Fault::new(Endpoint::Revoke, action).times(times));
}

async fn remove(person: &Person, path: &str) {
    assert_eq!(person.api.delete(path).await.status, 204);
}

/// Lets time pass until no grant is left to revoke, for two days at most.
async fn until_given_back(t: &TestApp) {
    for _ in 0..200 {
        t.idle().await;
        let Some(next) = t.app.store.next_revocation_at().await.unwrap() else {
            return;
        };
        t.clock.set(next.max(t.now()));
    }
    panic!("it is still not given back");
}

/// Whether the provider has revoked what the last request named.
fn ends_well(t: &TestApp) -> bool {
    t.calls(Endpoint::Revoke)
        .last()
        .is_some_and(|call| call.status == 200)
}

async fn a_provider_that_cannot_be_reached_is_asked_again_until_it_has_ended_it(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = with_account(&t).await;
    fail(&t, 5);
    remove(&ada, &path).await;
    assert!(
        ada.accounts().await.is_empty(),
        "the account is gone whatever the provider says"
    );
    t.idle().await;
    assert_eq!(t.revocations(), 1);
    t.idle().await;
    assert_eq!(t.revocations(), 1, "not without a pause");
    until_given_back(&t).await;
    assert!(t.revocations() == 6 && ends_well(&t));
}

async fn giving_back_survives_a_restart(db: Db) {
    let mut t = TestApp::start(db).await;
    let (ada, path) = with_account(&t).await;
    fail(&t, 1);
    remove(&ada, &path).await;
    t.idle().await;
    t.stop().await;
    let (app, service) = t.second_node().await;
    // Before the look, so that no change falls between the two.
    let mut pulse = app.heart.pulse();
    t.clock.advance(HOUR);
    while t.app.store.next_revocation_at().await.unwrap().is_some() {
        pulse.changed().await.unwrap();
    }
    assert!(t.revocations() == 2 && ends_well(&t));
    service.stop().await;
}

async fn a_try_that_died_with_its_process_is_made_again(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = with_account(&t).await;
    t.sim.inject(Fault::new(Endpoint::Revoke, FaultAction::DropAfter));
    remove(&ada, &path).await;
    until_given_back(&t).await;
    let codes: Vec<_> = t
        .calls(Endpoint::Revoke)
        .iter()
        .map(|call| call.code.clone())
        .collect();
    assert_eq!(
        codes.last().map(String::as_str),
        Some("invalid_grant"),
        "it had worked: {codes:?}"
    );
}

async fn access_that_has_ended_is_renewed_to_be_given_back(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = with_account(&t).await;
    let action = FaultAction::Answer {
        status: 401,
        code: "access_token_invalid".to_owned(),
        message: String::new(),
    };
    t.sim.inject(Fault::new(Endpoint::Revoke, action));
    remove(&ada, &path).await;
    until_given_back(&t).await;
    assert_eq!((t.revocations(), t.calls(Endpoint::TokenRefresh).len()), (2, 1));
    assert!(ends_well(&t));
}

async fn access_that_has_died_by_itself_is_forgotten(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = with_account(&t).await;
    fail(&t, 10);
    remove(&ada, &path).await;
    t.idle().await;
    assert!(t.app.store.next_revocation_at().await.unwrap().is_some());
    t.advance(24 * HOUR * 364).await;
    assert!(
        t.app.store.next_revocation_at().await.unwrap().is_some(),
        "a refresh token lives for a year"
    );
    t.advance(24 * HOUR).await;
    assert_eq!(t.app.store.next_revocation_at().await.unwrap(), None);
    assert_eq!(t.revocations(), 3);
}

async fn what_the_user_has_taken_back_already_is_forgotten(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = with_account(&t).await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    t.idle().await;
    remove(&ada, &path).await;
    t.idle().await;
    assert_eq!(t.app.store.next_revocation_at().await.unwrap(), None);
}

async fn a_deleted_workspaces_access_is_given_back_however_long_it_takes(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, _) = with_account(&t).await;
    t.connected_as(&ada, "harborbakes").await;
    fail(&t, 3);
    assert_eq!(ada.delete_workspace().await.status, 204);
    until_given_back(&t).await;
    let done = t
        .calls(Endpoint::Revoke)
        .into_iter()
        .filter(|call| call.status == 200);
    assert_eq!((t.revocations(), done.count()), (5, 2));
}

async fn an_account_is_not_connected_again_while_its_access_is_being_given_back(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = with_account(&t).await;
    t.sim.hold(Endpoint::Revoke, HoldPoint::Before);
    remove(&ada, &path).await;
    t.sim.held(Endpoint::Revoke, 1).await;
    assert_eq!(
        t.connect_as(&ada, "kitestudio", &[]).await,
        "/accounts?error=provider_unavailable"
    );
    t.sim.release(Endpoint::Revoke);
    until_given_back(&t).await;
    let id = path.rsplit('/').next().unwrap();
    assert_eq!(
        t.connect_as(&ada, "kitestudio", &[]).await,
        format!("/accounts?requeued=0&connected={id}")
    );
    t.idle().await;
    assert_eq!(ada.accounts().await[0]["refreshNeeded"], false);
}

async fn what_is_connected_again_is_not_given_back_later(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = with_account(&t).await;
    fail(&t, 1);
    remove(&ada, &path).await;
    t.idle().await;
    t.connected_as(&ada, "kitestudio").await;
    t.advance(HOUR).await;
    assert_eq!(t.revocations(), 1);
    assert_eq!(ada.accounts().await[0]["refreshNeeded"], false);
}

async fn a_pair_bought_while_its_account_is_removed_is_given_back_too(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = with_account(&t).await;
    t.sim.hold(Endpoint::TokenRefresh, HoldPoint::After);
    t.clock.advance(24 * HOUR);
    t.sim.held(Endpoint::TokenRefresh, 1).await;
    remove(&ada, &path).await;
    t.sim.release(Endpoint::TokenRefresh);
    until_given_back(&t).await;
    let given_back = t.calls(Endpoint::Revoke);
    assert!(
        given_back.len() == 2 && given_back[0].status == 200,
        "both pairs were looked after: {given_back:#?}"
    );
    let renewals: Vec<u16> = t
        .calls(Endpoint::TokenRefresh)
        .iter()
        .map(|call| call.status)
        .collect();
    assert_eq!(renewals, [200, 400], "the later pair had ended with the first");
}
