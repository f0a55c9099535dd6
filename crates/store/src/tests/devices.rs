use std::time::Duration;

use playout_domain::access::{Accounts, KeyAccess, Scopes};
use playout_domain::audit::{Action, Actor, ActorKind};
use playout_domain::device::{Grant, PendingDevice, UserCode};
use playout_domain::id::{KeyId, SessionId, UserId};
use playout_domain::time::Time;
use playout_domain::workspace::Role;

use super::harness::on_both;
use super::world::{MINUTE, NOON, World, hash, hashes, new_user};
use crate::db::chance::random_bytes;
use crate::db::{new_id, params};
use crate::{ApproveDevice, AskDevice, FoundDevice, KeyToBe, NewDevice, Page, PollDevice, Store, TriedCode};

on_both!(
    of_twenty_polls_at_once_exactly_one_gets_a_key,
    approving_and_denying_at_once_has_one_winner,
    what_was_granted_is_what_the_key_may_do_and_waits_where_the_version_before_makes_no_key,
    a_user_code_finds_who_waits_until_somebody_decides,
    of_wrong_codes_at_once_ten_in_ten_minutes_are_looked_up,
    neither_code_nor_any_key_is_stored,
    a_refused_or_expired_code_opens_nothing,
    another_client_gets_nothing_for_the_code_and_takes_nothing_away,
    whoever_may_no_longer_make_keys_has_approved_nothing,
    an_approval_goes_with_its_workspace,
    two_user_codes_at_once_differ,
    a_key_is_ended_by_itself_once_and_that_is_noted,
);

const END: Duration = Duration::from_secs(600);
const EVERYTHING: Grant = Grant {
    access: KeyAccess::FULL,
    until: None,
};

async fn begin(store: &Store) -> NewDevice {
    let new = NewDevice {
        id: new_id(NOON),
        device_code_hash: hash(),
        user_code: UserCode::make(random_bytes()),
        client_name: Some("laptop".to_owned()),
        client_id: Some("laptop-1".to_owned()),
        client_address: Some("192.0.2.7".to_owned()),
        expires_at: NOON.plus(END),
        asked: Scopes::ALL,
    };
    assert!(store.create_device(&new, NOON).await.unwrap());
    new
}

fn ask(device: &NewDevice) -> AskDevice {
    AskDevice {
        device_code_hash: device.device_code_hash,
        client_id: None,
        key: KeyToBe {
            id: new_id(NOON),
            hashes: hashes(),
            last_four: "wxyz".to_owned(),
        },
    }
}

async fn poll(store: &Store, device: &NewDevice, now: Time) -> PollDevice {
    store.poll_device(&ask(device), now).await.unwrap()
}

fn person(id: UserId) -> Actor {
    Actor {
        kind: ActorKind::User,
        id: Some(id.0),
        name: Some("ada@example.org".to_owned()),
        session: Some(new_id::<SessionId>(NOON)),
        address: Some("198.51.100.1".to_owned()),
    }
}

async fn approve(world: &World, device: &NewDevice, now: Time) -> bool {
    let actor = person(world.owner);
    world
        .store
        .approve_device(world.workspace, device.id, &EVERYTHING, &actor, now)
        .await
        .unwrap()
        == ApproveDevice::Approved
}

async fn of_twenty_polls_at_once_exactly_one_gets_a_key(store: Store) {
    let world = World::new(store.clone()).await;
    let device = begin(&store).await;
    assert_eq!(poll(&store, &device, NOON).await, PollDevice::Pending);
    assert!(approve(&world, &device, NOON).await);
    assert!(
        store.list_keys(world.workspace).await.unwrap().is_empty(),
        "no key before it is fetched"
    );
    let asks: Vec<AskDevice> = (0..20).map(|_| ask(&device)).collect();
    let answers = futures_util::future::join_all(asks.iter().map(|ask| store.poll_device(ask, NOON))).await;
    let winners: Vec<KeyId> = answers
        .iter()
        .zip(&asks)
        .filter_map(|(answer, ask)| match answer.as_ref().unwrap() {
            PollDevice::Approved(grant) => {
                assert_eq!(*grant, EVERYTHING);
                Some(ask.key.id)
            }
            other => {
                assert_eq!(*other, PollDevice::Expired);
                None
            }
        })
        .collect();
    let keys = store.list_keys(world.workspace).await.unwrap();
    assert_eq!(keys.iter().map(|key| key.id).collect::<Vec<_>>(), winners);
    assert_eq!(
        (keys.len(), keys[0].name.as_str(), keys[0].created_by),
        (1, "laptop", Some(world.owner))
    );
    let winner = asks.iter().find(|ask| ask.key.id == keys[0].id).unwrap();
    assert!(store.find_key(winner.key.hashes, NOON).await.unwrap().is_some());
    let trail = store
        .list_audit(
            world.workspace,
            Page {
                limit: 2,
                after: None,
            },
        )
        .await
        .unwrap();
    let told: Vec<_> = trail
        .iter()
        .map(|entry| (entry.action, entry.actor.clone().address))
        .collect();
    let from = Some("198.51.100.1".to_owned());
    assert_eq!(
        told,
        [(Action::KeyCreated, from.clone()), (Action::DeviceApproved, from)]
    );
}

async fn what_was_granted_is_what_the_key_may_do_and_waits_where_the_version_before_makes_no_key(
    store: Store,
) {
    let world = World::new(store.clone()).await;
    let device = begin(&store).await;
    let grant = Grant {
        access: KeyAccess {
            scopes: Scopes::parse("drafts").unwrap(),
            accounts: Accounts::Only(vec![world.platform]),
        },
        until: Some(NOON.plus(MINUTE)),
    };
    let actor = person(world.owner);
    let approved = store.approve_device(world.workspace, device.id, &grant, &actor, NOON);
    assert_eq!(approved.await.unwrap(), ApproveDevice::Approved);
    let state = "SELECT id, state FROM device_authorizations WHERE id = $1";
    let row = store.row(state, params![device.id]).await.unwrap().unwrap();
    assert_eq!(
        row.of("device_authorizations").get::<String>("state").unwrap(),
        "pending"
    );
    // It is decided all the same.
    assert!(!approve(&world, &device, NOON).await);
    assert!(!store.deny_device(device.id, NOON).await.unwrap());
    assert_eq!(
        poll(&store, &device, NOON).await,
        PollDevice::Approved(grant.clone())
    );
    assert_eq!(poll(&store, &device, NOON).await, PollDevice::Expired);
    let key = store.list_keys(world.workspace).await.unwrap().remove(0);
    assert_eq!((key.access, key.expires_at), (grant.access, grant.until));
}

async fn approving_and_denying_at_once_has_one_winner(store: Store) {
    let world = World::new(store.clone()).await;
    for _ in 0..10 {
        let device = begin(&store).await;
        let (approved, denied) =
            tokio::join!(approve(&world, &device, NOON), store.deny_device(device.id, NOON));
        let denied = denied.unwrap();
        assert!(approved != denied, "exactly one has decided");
        let answer = poll(&store, &device, NOON).await;
        assert_eq!(answer == PollDevice::Denied, denied, "{answer:?}");
        assert!(!approve(&world, &device, NOON).await && !store.deny_device(device.id, NOON).await.unwrap());
    }
}

async fn a_user_code_finds_who_waits_until_somebody_decides(store: Store) {
    let world = World::new(store.clone()).await;
    let device = begin(&store).await;
    let pending = PendingDevice {
        id: device.id,
        client_name: device.client_name.clone(),
        client_address: device.client_address.clone(),
        created_at: NOON,
        expires_at: device.expires_at,
        asked: Scopes::ALL,
    };
    let owner = world.owner;
    let find = |code: UserCode, now| {
        let store = store.clone();
        async move {
            match store.try_code(owner, Some(&code), now).await.unwrap() {
                TriedCode::Found(found) => found,
                TriedCode::TooMany(wait) => panic!("too many wrong codes, for {wait:?}"),
            }
        }
    };
    assert_eq!(
        find(device.user_code.clone(), NOON).await,
        FoundDevice::Pending(pending)
    );
    assert_eq!(
        find(device.user_code.clone(), NOON.plus(END)).await,
        FoundDevice::Over
    );
    assert_eq!(
        find(UserCode::make(random_bytes()), NOON).await,
        FoundDevice::Unknown
    );
    assert!(approve(&world, &device, NOON).await);
    assert_eq!(find(device.user_code.clone(), NOON).await, FoundDevice::Over);
}

async fn of_wrong_codes_at_once_ten_in_ten_minutes_are_looked_up(store: Store) {
    let world = World::new(store.clone()).await;
    let device = begin(&store).await;
    let mut looked_up = Vec::new();
    for minute in 0..30 {
        let now = NOON.plus(MINUTE * minute);
        let tries = (0..4).map(|_| store.try_code(world.owner, None, now));
        for tried in futures_util::future::join_all(tries).await {
            match tried.unwrap() {
                TriedCode::Found(found) => {
                    assert_eq!(found, FoundDevice::Unknown);
                    looked_up.push(now);
                }
                TriedCode::TooMany(wait) => assert!(wait > Duration::ZERO && wait <= END, "{wait:?}"),
            }
        }
    }
    assert_eq!(looked_up.len(), 30);
    assert!(looked_up.windows(11).all(|some| some[10].since(some[0]) >= END));
    let now = NOON.plus(MINUTE * 30);
    let found = store
        .try_code(world.owner, Some(&device.user_code), now)
        .await
        .unwrap();
    assert_eq!(found, TriedCode::Found(FoundDevice::Over));
    assert_eq!(store.delete_expired(now).await.unwrap().wrong_codes, 24);
}

async fn neither_code_nor_any_key_is_stored(store: Store) {
    let device = begin(&store).await;
    let row = store
        .row("SELECT * FROM device_authorizations", params![])
        .await
        .unwrap()
        .unwrap();
    let hash: Vec<u8> = row.of("device_authorizations").get("user_code_hash").unwrap();
    let bare = <sha2::Sha256 as sha2::Digest>::digest(device.user_code.as_bytes());
    assert!(
        hash.len() == 32 && hash != bare.as_slice(),
        "not even a hash that anybody can make"
    );
    assert!(
        row.of("device_authorizations")
            .get::<Option<String>>("user_code")
            .is_err()
    );
    assert!(
        row.of("device_authorizations")
            .get::<Option<Vec<u8>>>("api_key")
            .is_err()
    );
}

async fn a_refused_or_expired_code_opens_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let (refused, late, approved) = (begin(&store).await, begin(&store).await, begin(&store).await);
    assert!(store.deny_device(refused.id, NOON).await.unwrap());
    assert_eq!(poll(&store, &refused, NOON).await, PollDevice::Denied);
    assert_eq!(
        poll(&store, &refused, NOON.plus(MINUTE)).await,
        PollDevice::Denied,
        "and goes on saying so"
    );
    let end = late.expires_at;
    assert!(!approve(&world, &late, end).await && !store.deny_device(late.id, end).await.unwrap());
    assert_eq!(poll(&store, &late, end).await, PollDevice::Expired);
    assert!(approve(&world, &approved, NOON).await);
    assert_eq!(poll(&store, &approved, end).await, PollDevice::Expired);
    let unknown = NewDevice {
        device_code_hash: hash(),
        ..late
    };
    assert_eq!(poll(&store, &unknown, NOON).await, PollDevice::Expired);
    assert!(store.list_keys(world.workspace).await.unwrap().is_empty());
    assert_eq!(store.delete_expired(end).await.unwrap().devices, 3);
}

async fn another_client_gets_nothing_for_the_code_and_takes_nothing_away(store: Store) {
    let world = World::new(store.clone()).await;
    let device = begin(&store).await;
    assert!(approve(&world, &device, NOON).await);
    let other = AskDevice {
        client_id: Some("other".to_owned()),
        ..ask(&device)
    };
    assert_eq!(
        store.poll_device(&other, NOON).await.unwrap(),
        PollDevice::OtherClient
    );
    let same = AskDevice {
        client_id: device.client_id.clone(),
        ..ask(&device)
    };
    assert_eq!(
        store.poll_device(&same, NOON).await.unwrap(),
        PollDevice::Approved(EVERYTHING)
    );
}

async fn whoever_may_no_longer_make_keys_has_approved_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let admin = new_user(&store).await;
    store
        .add_member(world.workspace, admin, Role::Admin, NOON)
        .await
        .unwrap();
    let device = begin(&store).await;
    let admin_now = person(admin);
    let approved = store.approve_device(world.workspace, device.id, &EVERYTHING, &admin_now, NOON);
    assert_eq!(approved.await.unwrap(), ApproveDevice::Approved);
    store
        .add_member(world.workspace, admin, Role::Member, NOON)
        .await
        .unwrap();
    assert_eq!(poll(&store, &device, NOON).await, PollDevice::Denied);
    store
        .add_member(world.workspace, admin, Role::Admin, NOON)
        .await
        .unwrap();
    assert_eq!(poll(&store, &device, NOON).await, PollDevice::Denied, "for good");
    assert!(store.list_keys(world.workspace).await.unwrap().is_empty());
}

async fn an_approval_goes_with_its_workspace(store: Store) {
    let world = World::new(store.clone()).await;
    let device = begin(&store).await;
    assert!(approve(&world, &device, NOON).await);
    store.execute("DELETE FROM workspaces", Vec::new()).await.unwrap();
    assert_eq!(poll(&store, &device, NOON).await, PollDevice::Expired);
    assert!(!approve(&world, &begin(&store).await, NOON).await);
}

async fn two_user_codes_at_once_differ(store: Store) {
    let first = begin(&store).await;
    let second = NewDevice {
        id: new_id(NOON),
        device_code_hash: hash(),
        ..first
    };
    assert!(!store.create_device(&second, NOON).await.unwrap());
}

async fn a_key_is_ended_by_itself_once_and_that_is_noted(store: Store) {
    let world = World::new(store.clone()).await;
    let device = begin(&store).await;
    assert!(approve(&world, &device, NOON).await);
    let ask = ask(&device);
    store.poll_device(&ask, NOON).await.unwrap();
    let address = Some("192.0.2.9".to_owned());
    let revoked = store
        .revoke_own_key(ask.key.hashes, address.clone(), NOON)
        .await
        .unwrap();
    assert_eq!(revoked, Some(ask.key.id));
    assert_eq!(
        store
            .revoke_own_key(ask.key.hashes, address.clone(), NOON)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        store
            .revoke_own_key(hashes(), address.clone(), NOON)
            .await
            .unwrap(),
        None
    );
    assert!(store.find_key(ask.key.hashes, NOON).await.unwrap().is_none());
    let entry = store
        .list_audit(
            world.workspace,
            Page {
                limit: 1,
                after: None,
            },
        )
        .await
        .unwrap()
        .remove(0);
    assert_eq!(
        (entry.action, entry.actor.kind, entry.actor.id),
        (Action::KeyRevoked, ActorKind::Key, Some(ask.key.id.0))
    );
    assert_eq!(
        (entry.actor.address, entry.actor.name.as_deref()),
        (address, Some("laptop"))
    );
}
