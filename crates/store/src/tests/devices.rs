use std::time::Duration;

use playout_domain::secret::Secret;

use super::harness::on_both;
use super::world::{MINUTE, NOON, World, hash};
use crate::chance::new_id;
use crate::param::params;
use crate::{NewDevice, PollDevice, Store};

const INTERVAL: Duration = Duration::from_secs(5);

async fn begin(store: &Store, user_code: &str) -> NewDevice {
    let new = NewDevice {
        id: new_id(NOON),
        device_code_hash: hash(),
        user_code: user_code.to_owned(),
        client_name: Some("laptop".to_owned()),
        client_address: None,
        interval: INTERVAL,
        expires_at: NOON.plus(MINUTE * 10),
    };
    assert!(store.create_device(&new, NOON).await.unwrap());
    new
}

on_both! {
    async fn an_approved_key_is_handed_out_once(store: Store) {
        let world = World::new(store.clone()).await;
        let device = begin(&store, "SVCBCDFGHJK").await;
        assert_eq!(store.poll_device(device.device_code_hash, NOON).await.unwrap(), PollDevice::Pending);
        let pending = store.find_pending_device("SVCBCDFGHJK", NOON).await.unwrap().unwrap();
        assert_eq!((pending.id, pending.client_name.as_deref()), (device.id, Some("laptop")));
        let key = Secret::new("svc_sk_secret");
        assert!(store.approve_device(device.id, world.workspace, &key, NOON).await.unwrap());
        assert!(!store.approve_device(device.id, world.workspace, &key, NOON).await.unwrap());
        assert!(!store.deny_device(device.id, NOON).await.unwrap());
        assert!(store.find_pending_device("SVCBCDFGHJK", NOON).await.unwrap().is_none());
        let row = store.row("SELECT id, api_key FROM device_authorizations", params![]).await.unwrap().unwrap();
        let sealed: Vec<u8> = row.of("device_authorizations").get("api_key").unwrap();
        assert!(!sealed.windows(6).any(|window| window == b"secret"));
        let poll = || store.poll_device(device.device_code_hash, NOON);
        let (one, two) = tokio::join!(poll(), poll());
        let mut answers = [one.unwrap(), two.unwrap()];
        answers.sort_by_key(|answer| *answer == PollDevice::Expired);
        assert_eq!(answers, [PollDevice::Approved(key), PollDevice::Expired]);
    }

    async fn polling_too_fast_makes_the_interval_grow(store: Store) {
        let device = begin(&store, "SVCBCDFGHJK").await;
        let poll = |seconds| store.poll_device(device.device_code_hash, NOON.plus(Duration::from_secs(seconds)));
        assert_eq!(poll(0).await.unwrap(), PollDevice::Pending);
        assert_eq!(poll(5).await.unwrap(), PollDevice::Pending);
        assert_eq!(poll(9).await.unwrap(), PollDevice::SlowDown);
        assert_eq!(poll(18).await.unwrap(), PollDevice::SlowDown);
        assert_eq!(poll(33).await.unwrap(), PollDevice::Pending);
    }

    async fn a_refused_or_expired_code_opens_nothing(store: Store) {
        let world = World::new(store.clone()).await;
        let (refused, late) = (begin(&store, "A").await, begin(&store, "B").await);
        assert!(store.deny_device(refused.id, NOON).await.unwrap());
        assert_eq!(store.poll_device(refused.device_code_hash, NOON).await.unwrap(), PollDevice::Denied);
        let end = late.expires_at;
        let key = Secret::new("k");
        assert!(!store.approve_device(late.id, world.workspace, &key, end).await.unwrap());
        assert_eq!(store.poll_device(late.device_code_hash, end).await.unwrap(), PollDevice::Expired);
        assert_eq!(store.poll_device(hash(), NOON).await.unwrap(), PollDevice::Expired);
        assert_eq!(store.delete_expired(end).await.unwrap().devices, 2);
    }

    async fn two_user_codes_at_once_differ(store: Store) {
        let first = begin(&store, "SAME").await;
        let second = NewDevice { id: new_id(NOON), device_code_hash: hash(), ..first };
        assert!(!store.create_device(&second, NOON).await.unwrap());
    }
}
