use playout_domain::id::UserId;
use playout_domain::second_factor::TotpSecret;

use super::harness::{on_both, vault};
use super::world::{DAY, HOUR, MINUTE, NOON, OPERATOR, begin_session, hash, new_user};
use crate::db::new_id;
use crate::{
    Confirming, NewCredentials, NewSession, Renewal, SecondFactorCode, Store, StoreError, TakeCode,
    UserChanges, Vault,
};

on_both!(
    a_second_factor_is_asked_for_once_it_is_confirmed_and_ends_other_sessions,
    a_code_is_taken_once_however_many_try_it_at_once,
    turned_off_it_asks_for_nothing_and_its_codes_are_gone,
    no_session_begins_with_what_was_right_before,
    half_a_sign_in_ends_with_its_time_with_a_new_password_and_once_it_is_whole,
);

fn session() -> NewSession {
    NewSession {
        id: new_id(NOON),
        hash: hash(),
        address: None,
        program: None,
    }
}

fn secret(byte: u8) -> TotpSecret {
    TotpSecret::new([byte; 20])
}

/// The code of NOON.
fn code(byte: u8) -> SecondFactorCode {
    SecondFactorCode::Totp(secret(byte).code_at(NOON))
}

/// A person whose second factor is active since the day before, and their session.
async fn protected(store: &Store, recovery: &[[u8; 32]]) -> (UserId, NewSession) {
    let (user, here) = (new_user(store).await, session());
    begin_session(store, &here, user, NOON).await;
    let before = NOON.minus(DAY);
    assert!(
        store
            .begin_second_factor(user, &secret(1), (before, NOON))
            .await
            .unwrap()
    );
    let renewal = Renewal {
        session: here.id,
        hash: hash(),
    };
    let code = secret(1).code_at(before);
    let confirmed = store.confirm_second_factor(
        Confirming {
            user,
            renewal: &renewal,
            by: OPERATOR,
        },
        code,
        recovery,
        before,
    );
    assert_eq!(confirmed.await.unwrap(), TakeCode::Taken);
    let hash = renewal.hash;
    (user, NewSession { hash, ..here })
}

async fn a_second_factor_is_asked_for_once_it_is_confirmed_and_ends_other_sessions(store: Store) {
    let user = new_user(&store).await;
    let (here, there) = (session(), session());
    for session in [&here, &there] {
        begin_session(&store, session, user, NOON).await;
    }
    let begin = async |secret: TotpSecret| {
        store
            .begin_second_factor(user, &secret, (NOON, NOON.plus(HOUR)))
            .await
            .unwrap()
    };
    assert!(begin(secret(9)).await);
    assert!(begin(secret(1)).await, "begun anew");
    assert!(!store.find_user(user).await.unwrap().unwrap().has_second_factor);
    assert_eq!(
        store.take_code(user, code(1), OPERATOR, NOON).await.unwrap(),
        TakeCode::Off
    );
    let renewal = Renewal {
        session: here.id,
        hash: hash(),
    };
    let confirm = async |code, at| {
        store
            .confirm_second_factor(
                Confirming {
                    user,
                    renewal: &renewal,
                    by: OPERATOR,
                },
                code,
                &[hash(), hash()],
                at,
            )
            .await
            .unwrap()
    };
    assert_eq!(confirm(secret(9).code_at(NOON), NOON).await, TakeCode::Wrong);
    assert_eq!(
        confirm(secret(1).code_at(NOON), NOON.plus(HOUR)).await,
        TakeCode::Off,
        "too late"
    );
    assert!(store.find_session(there.hash, NOON).await.unwrap().is_some());
    assert_eq!(confirm(secret(1).code_at(NOON), NOON).await, TakeCode::Taken);
    assert!(store.find_user(user).await.unwrap().unwrap().has_second_factor);
    assert_eq!(store.find_second_factor(user).await.unwrap(), Some(2));
    assert!(!begin(secret(2)).await, "it is active");
    assert_eq!(
        store.find_session(renewal.hash, NOON).await.unwrap().unwrap().id,
        here.id
    );
    for ended in [here.hash, there.hash] {
        assert!(store.find_session(ended, NOON).await.unwrap().is_none());
    }
    assert_eq!(
        store.take_code(user, code(1), OPERATOR, NOON).await.unwrap(),
        TakeCode::Wrong,
        "the code that confirmed it is used"
    );
}

async fn a_code_is_taken_once_however_many_try_it_at_once(store: Store) {
    let recovery = hash();
    let (user, _) = protected(&store, &[recovery, hash()]).await;
    for code in [code(1), SecondFactorCode::Recovery(recovery)] {
        let tries = (0..8).map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.take_code(user, code, OPERATOR, NOON).await.unwrap() })
        });
        let mut taken = 0;
        for done in tries.collect::<Vec<_>>() {
            taken += usize::from(done.await.unwrap() == TakeCode::Taken);
        }
        assert_eq!(taken, 1, "{code:?}");
    }
    assert_eq!(store.find_second_factor(user).await.unwrap(), Some(1));
    assert_eq!(
        store
            .take_code(user, SecondFactorCode::Recovery(hash()), OPERATOR, NOON)
            .await
            .unwrap(),
        TakeCode::Wrong
    );
    let neighbour = new_user(&store).await;
    assert_eq!(
        store.take_code(neighbour, code(1), OPERATOR, NOON).await.unwrap(),
        TakeCode::Off
    );
}

async fn turned_off_it_asks_for_nothing_and_its_codes_are_gone(store: Store) {
    let recovery = hash();
    let (user, _) = protected(&store, &[recovery]).await;
    assert!(
        store
            .replace_recovery_codes(user, &[hash(), hash(), hash()], OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert_eq!(store.find_second_factor(user).await.unwrap(), Some(3));
    assert_eq!(
        store
            .take_code(user, SecondFactorCode::Recovery(recovery), OPERATOR, NOON)
            .await
            .unwrap(),
        TakeCode::Wrong
    );
    assert!(store.delete_second_factor(user, OPERATOR, NOON).await.unwrap());
    assert!(!store.delete_second_factor(user, OPERATOR, NOON).await.unwrap());
    assert!(
        !store
            .replace_recovery_codes(user, &[hash()], OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert_eq!(store.find_second_factor(user).await.unwrap(), None);
    assert_eq!(
        store.take_code(user, code(1), OPERATOR, NOON).await.unwrap(),
        TakeCode::Off
    );
    assert!(
        store
            .begin_second_factor(user, &secret(2), (NOON, NOON.plus(HOUR)))
            .await
            .unwrap()
    );
}

async fn no_session_begins_with_what_was_right_before(store: Store) {
    let (user, here) = (new_user(&store).await, session());
    begin_session(&store, &here, user, NOON).await;
    let proven = store.find_user(user).await.unwrap().unwrap();
    let renewal = Renewal {
        session: here.id,
        hash: hash(),
    };
    let new = NewCredentials {
        email: None,
        password_hash: Some("$new$".to_owned()),
        renewal,
    };
    store
        .update_user(
            user,
            &UserChanges {
                credentials: Some(new),
                ..UserChanges::default()
            },
            OPERATOR,
            NOON,
        )
        .await
        .unwrap();
    assert!(
        !store.create_session(&session(), &proven, NOON).await.unwrap(),
        "the password has changed"
    );
    let (protected, _) = protected(&store, &[]).await;
    let mut proven = store.find_user(protected).await.unwrap().unwrap();
    assert!(store.create_session(&session(), &proven, NOON).await.unwrap());
    proven.has_second_factor = false;
    assert!(
        !store.create_session(&session(), &proven, NOON).await.unwrap(),
        "a code was not asked for then"
    );
}

async fn half_a_sign_in_ends_with_its_time_with_a_new_password_and_once_it_is_whole(store: Store) {
    let (user, _) = protected(&store, &[]).await;
    let (token, end) = (hash(), NOON.plus(MINUTE));
    store.create_sign_in(token, user, (NOON, end)).await.unwrap();
    assert_eq!(
        store.find_sign_in(token, NOON).await.unwrap().unwrap().user.id,
        user
    );
    assert!(store.find_sign_in(token, end).await.unwrap().is_none());
    assert!(store.find_sign_in(hash(), NOON).await.unwrap().is_none());
    store.delete_sign_in(token).await.unwrap();
    assert!(store.find_sign_in(token, NOON).await.unwrap().is_none());
    let reset = hash();
    store.create_sign_in(token, user, (NOON, end)).await.unwrap();
    store.create_password_reset(user, reset, end, NOON).await.unwrap();
    assert!(
        store
            .reset_password(reset, "$new$", None, NOON)
            .await
            .unwrap()
            .is_some()
    );
    assert!(store.find_sign_in(token, NOON).await.unwrap().is_none());
    assert!(
        store.find_user(user).await.unwrap().unwrap().has_second_factor,
        "the reset leaves it on"
    );
}

#[tokio::test]
async fn a_secret_is_sealed_and_a_rotated_key_comes_out_of_use_with_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/playout.db", folder.path().display());
    let store = Store::connect(&url, vault()).await.unwrap();
    store.migrate().await.unwrap();
    let (user, _) = protected(&store, &[]).await;
    let (old, new) = ([7; 32], [8; 32]);
    let with = async |keys: Vec<[u8; 32]>| Store::connect(&url, Vault::new(keys).unwrap()).await.unwrap();
    let refused = with(vec![new]).await.check_keys().await.unwrap_err();
    assert!(matches!(refused, StoreError::WrongKey(_)), "{refused}");
    let rotated = with(vec![new, old]).await;
    rotated.check_keys().await.unwrap();
    assert_eq!(rotated.reseal().await.unwrap(), 1);
    assert_eq!(rotated.reseal().await.unwrap(), 0);
    let without_old = with(vec![new]).await;
    without_old.check_keys().await.unwrap();
    assert_eq!(
        without_old
            .take_code(user, code(1), OPERATOR, NOON)
            .await
            .unwrap(),
        TakeCode::Taken
    );
}
