use playout_domain::access::{Accounts, KeyAccess, Scopes};
use playout_domain::key::KeyRecord;
use playout_domain::workspace::Role;

use super::harness::on_both;
use super::world::{
    DAY, MINUTE, NOON, OPERATOR, World, begin_session, hash, hashes, new_user, new_workspace,
};
use crate::db::{new_id, params};
use crate::{CreateUser, NewSession, NewUser, SESSION_LIFETIME, Store};

on_both!(
    an_address_belongs_to_one_person_whatever_its_case,
    a_workspace_has_its_owner_and_the_members_it_was_given,
    a_plan_can_be_changed_where_there_is_a_workspace,
    a_session_ends_a_month_after_its_last_use,
    using_a_session_twice_in_a_day_writes_nothing,
    a_person_sees_the_newest_sessions_that_go_on_and_ends_them,
    a_deleted_session_opens_nothing,
    a_key_opens_its_workspace_until_it_is_revoked_or_expires,
    a_restricted_key_is_found_by_a_hash_that_the_version_before_does_not_know,
    a_key_cannot_be_revoked_from_another_workspace,
);

fn session(hash: [u8; 32]) -> NewSession {
    NewSession {
        id: new_id(NOON),
        hash,
        address: None,
        program: None,
    }
}

fn user(email: &str) -> NewUser {
    NewUser {
        id: new_id(NOON),
        email: email.to_owned(),
        name: Some("Ada".to_owned()),
        password_hash: "$argon2id$x".to_owned(),
    }
}

fn key(name: &str) -> KeyRecord {
    KeyRecord {
        id: new_id(NOON),
        name: name.to_owned(),
        last_four: "wxyz".to_owned(),
        created_by: None,
        created_at: NOON,
        last_used_at: None,
        expires_at: None,
        access: KeyAccess::FULL,
    }
}

async fn an_address_belongs_to_one_person_whatever_its_case(store: Store) {
    assert_eq!(
        store.create_user(user("Ada@Example.org"), NOON).await.unwrap(),
        CreateUser::Created
    );
    assert_eq!(
        store.create_user(user("ada@example.ORG"), NOON).await.unwrap(),
        CreateUser::EmailTaken
    );
    let found = store
        .find_user_by_email("ADA@example.org")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.user.email, "ada@example.org");
    assert_eq!(found.user.name.as_deref(), Some("Ada"));
    assert_eq!(found.password_hash, "$argon2id$x");
    assert!(
        store
            .find_user_by_email("bob@example.org")
            .await
            .unwrap()
            .is_none()
    );
}

async fn a_workspace_has_its_owner_and_the_members_it_was_given(store: Store) {
    let (owner, guest) = (new_user(&store).await, new_user(&store).await);
    let workspace = new_workspace(&store, owner).await;
    assert_eq!(store.role_of(workspace, owner).await.unwrap(), Some(Role::Owner));
    assert_eq!(store.role_of(workspace, guest).await.unwrap(), None);
    store
        .add_member(workspace, guest, Role::Member, NOON)
        .await
        .unwrap();
    store
        .add_member(workspace, guest, Role::Admin, NOON)
        .await
        .unwrap();
    let listed = store.list_workspaces_of(guest).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].0.id, listed[0].1), (workspace, Role::Admin));
}

async fn a_plan_can_be_changed_where_there_is_a_workspace(store: Store) {
    let world = World::new(store.clone()).await;
    assert!(
        store
            .set_plan(world.workspace, "creator", OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert_eq!(
        store.find_workspace(world.workspace).await.unwrap().unwrap().plan,
        "creator"
    );
    assert!(
        !store
            .set_plan(new_id(NOON), "creator", OPERATOR, NOON)
            .await
            .unwrap()
    );
}

async fn a_session_ends_a_month_after_its_last_use(store: Store) {
    let (user, token) = (new_user(&store).await, hash());
    begin_session(&store, &session(token), user, NOON).await;
    let used_at = NOON.plus(DAY * 20);
    assert_eq!(
        store.find_session(token, used_at).await.unwrap().unwrap().user.id,
        user
    );
    let first_end = NOON.plus(SESSION_LIFETIME);
    assert!(store.find_session(token, first_end).await.unwrap().is_some());
    let end = first_end.plus(SESSION_LIFETIME);
    assert!(store.find_session(token, end).await.unwrap().is_none());
}

async fn using_a_session_twice_in_a_day_writes_nothing(store: Store) {
    let (user, token) = (new_user(&store).await, hash());
    begin_session(&store, &session(token), user, NOON).await;
    assert!(
        store
            .find_session(token, NOON.plus(MINUTE))
            .await
            .unwrap()
            .is_some()
    );
    let end = NOON.plus(SESSION_LIFETIME);
    assert!(store.find_session(token, end).await.unwrap().is_none());
}

async fn a_person_sees_the_newest_sessions_that_go_on_and_ends_them(store: Store) {
    let (user, other) = (new_user(&store).await, new_user(&store).await);
    let (first, second, foreign) = (session(hash()), session(hash()), session(hash()));
    begin_session(&store, &first, user, NOON).await;
    let second = NewSession {
        address: Some("192.0.2.7".to_owned()),
        program: Some("Kite/1".to_owned()),
        ..second
    };
    begin_session(&store, &second, user, NOON.plus(DAY)).await;
    begin_session(&store, &foreign, other, NOON).await;
    let now = NOON.plus(DAY * 3);
    store.find_session(first.hash, now).await.unwrap().unwrap();
    let listed = store.list_sessions_of(user, 10, now).await.unwrap();
    assert_eq!(
        listed.iter().map(|session| session.id).collect::<Vec<_>>(),
        [second.id, first.id]
    );
    assert_eq!(
        (&listed[0].address, &listed[0].program),
        (&second.address, &second.program)
    );
    assert_eq!(
        (listed[0].last_noted_at, listed[1].last_noted_at),
        (NOON.plus(DAY), now)
    );
    assert_eq!(store.list_sessions_of(user, 1, now).await.unwrap(), listed[..1]);
    let end = NOON.plus(DAY).plus(SESSION_LIFETIME);
    assert_eq!(store.list_sessions_of(user, 10, end).await.unwrap(), listed[1..]);
    assert!(
        !store
            .delete_session_of(user, foreign.id, OPERATOR, now)
            .await
            .unwrap()
    );
    assert!(
        !store
            .delete_session_of(user, second.id, OPERATOR, end)
            .await
            .unwrap(),
        "it is over by itself"
    );
    assert_eq!(
        store
            .delete_sessions_but(user, second.id, OPERATOR, now)
            .await
            .unwrap(),
        1
    );
    assert!(
        store
            .delete_session_of(user, second.id, OPERATOR, now)
            .await
            .unwrap()
    );
    assert_eq!(store.list_sessions_of(user, 10, now).await.unwrap(), []);
    assert_eq!(store.list_sessions_of(other, 10, now).await.unwrap().len(), 1);
}

async fn a_deleted_session_opens_nothing(store: Store) {
    let (user, token) = (new_user(&store).await, hash());
    begin_session(&store, &session(token), user, NOON).await;
    assert!(store.delete_session(token, OPERATOR, NOON).await.unwrap());
    assert!(!store.delete_session(token, OPERATOR, NOON).await.unwrap());
    assert!(store.find_session(token, NOON).await.unwrap().is_none());
}

async fn a_key_opens_its_workspace_until_it_is_revoked_or_expires(store: Store) {
    let world = World::new(store.clone()).await;
    let (forever, brief) = (
        key("forever"),
        KeyRecord {
            expires_at: Some(NOON.plus(DAY)),
            ..key("brief")
        },
    );
    let (forever_hash, brief_hash) = (hashes(), hashes());
    store
        .create_key(world.workspace, &forever, forever_hash, OPERATOR)
        .await
        .unwrap();
    store
        .create_key(world.workspace, &brief, brief_hash, OPERATOR)
        .await
        .unwrap();
    let found = store.find_key(forever_hash, NOON).await.unwrap().unwrap();
    assert_eq!(
        (found.workspace.id, found.key),
        (world.workspace, forever.clone())
    );
    assert!(store.find_key(brief_hash, NOON).await.unwrap().is_some());
    assert!(
        store
            .find_key(brief_hash, NOON.plus(DAY))
            .await
            .unwrap()
            .is_none()
    );
    assert!(store.find_key(hashes(), NOON).await.unwrap().is_none());
    assert!(
        store
            .revoke_key(world.workspace, forever.id, OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert!(
        !store
            .revoke_key(world.workspace, forever.id, OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert!(store.find_key(forever_hash, NOON).await.unwrap().is_none());
    assert_eq!(store.list_keys(world.workspace).await.unwrap(), [brief]);
}

async fn a_restricted_key_is_found_by_a_hash_that_the_version_before_does_not_know(store: Store) {
    let world = World::new(store.clone()).await;
    for access in [
        KeyAccess {
            scopes: Scopes::parse("drafts media").unwrap(),
            ..KeyAccess::FULL
        },
        KeyAccess {
            accounts: Accounts::Only(vec![world.platform]),
            ..KeyAccess::FULL
        },
    ] {
        let (record, known) = (
            KeyRecord {
                access,
                ..key("restricted")
            },
            hashes(),
        );
        store
            .create_key(world.workspace, &record, known, OPERATOR)
            .await
            .unwrap();
        let found = store.find_key(known, NOON).await.unwrap().unwrap();
        assert_eq!(found.key, record);
        let rows = "SELECT id FROM keys WHERE hash = $1 AND workspace_id = $2";
        let before = store
            .row(rows, params![known.full, world.workspace])
            .await
            .unwrap();
        assert!(before.is_none());
        let listed = store.list_keys(world.workspace).await.unwrap();
        assert!(listed.contains(&record));
        let revoked = store.revoke_own_key(known, None, NOON).await.unwrap();
        assert_eq!(revoked, Some(record.id));
    }
}

async fn a_key_cannot_be_revoked_from_another_workspace(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    let (record, secret) = (key("mine"), hashes());
    store
        .create_key(world.workspace, &record, secret, OPERATOR)
        .await
        .unwrap();
    assert!(
        !store
            .revoke_key(neighbour.workspace, record.id, OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert!(store.list_keys(neighbour.workspace).await.unwrap().is_empty());
    store.touch_key(record.id, NOON.plus(MINUTE)).await.unwrap();
    let found = store.find_key(secret, NOON).await.unwrap().unwrap();
    assert_eq!(found.key.last_used_at, Some(NOON.plus(MINUTE)));
}
