//! From events to deliveries, and who may send them.

use std::collections::HashMap;

use playout_domain::event::EventKind;
use playout_domain::id::WebhookId;
use playout_domain::secret::Secret;
use playout_domain::webhook::{Answer, Delivery, DeliveryState, WebhookEvent};
use serde_json::json;

use super::harness::on_both;
use super::world::{DAY, MINUTE, NOON, OPERATOR, World, must_reconnect};
use crate::db::new_id;
use crate::events::NewEvent;
use crate::idempotency::Keep;
use crate::{ClaimDeliveries, CreateWebhook, NewWebhook, Outcome, Outgoing, Page, Store, Subject};

on_both!(
    each_webhook_gets_what_it_asked_for_and_others_nothing,
    an_event_and_its_deliveries_are_there_together_or_not_at_all,
    what_an_event_is_about_is_shown_as_its_transaction_leaves_it,
    a_claimed_delivery_is_nobody_elses_until_its_lease_ends_and_then_no_longer_ones_own,
    webhooks_are_served_in_turns_and_busy_ones_not_at_all,
    workspaces_are_served_in_turns_and_each_has_a_share,
    a_webhook_that_is_removed_at_the_same_moment_takes_nothing_else_with_it,
    of_two_who_claim_at_once_each_gets_others,
    a_secret_signs_for_a_day_after_it_was_replaced,
);

const CLAIM: ClaimDeliveries<'_> = ClaimDeliveries {
    limit: 10,
    per_webhook: 4,
    per_workspace: 32,
    busy: &[],
    without: &[],
    in_flight: &[],
    lease: MINUTE,
};

async fn hook(world: &World, events: &[WebhookEvent]) -> WebhookId {
    let new = NewWebhook {
        id: new_id(NOON),
        url: "https://example.org/".to_owned(),
        events: events.to_vec(),
        secret: Secret::new("whsec_first"),
    };
    let made = world
        .store
        .create_webhook(world.workspace, &new, OPERATOR, Keep::nowhere(), NOON);
    match made.await.unwrap() {
        CreateWebhook::Created(webhook) => webhook.id,
        CreateWebhook::TooMany => panic!("there are not so many"),
    }
}

async fn deliveries(world: &World, webhook: WebhookId) -> Vec<Delivery> {
    let page = Page {
        limit: 1000,
        after: None,
    };
    world
        .store
        .list_deliveries(world.workspace, webhook, page)
        .await
        .unwrap()
        .0
}

async fn settle(store: &Store, held: &Outgoing, outcome: Outcome) {
    store
        .settle_delivery(held, &Answer::default(), outcome, NOON)
        .await
        .unwrap();
}

fn media_ready(world: &World) -> NewEvent {
    NewEvent {
        workspace_id: world.workspace,
        kind: EventKind::MediaReady,
        payload: json!({ "mediaId": world.platform }),
    }
}

async fn each_webhook_gets_what_it_asked_for_and_others_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let all = hook(&world, WebhookEvent::ALL).await;
    let some = hook(&world, &[WebhookEvent::PostFailed]).await;
    let neighbour = world.neighbour().await;
    let foreign = hook(&neighbour, WebhookEvent::ALL).await;
    world.media(10).await;
    let told = deliveries(&world, all).await;
    assert_eq!(
        (told.len(), told[0].event.as_str(), told[0].state),
        (1, "media.ready", DeliveryState::Pending)
    );
    assert!(deliveries(&world, some).await.is_empty());
    assert!(deliveries(&neighbour, foreign).await.is_empty());
    let logged = store.list_events(world.workspace, None, 1000).await.unwrap();
    assert_eq!(told[0].event_id, logged.last().unwrap().id);
}

async fn an_event_and_its_deliveries_are_there_together_or_not_at_all(store: Store) {
    let world = World::new(store.clone()).await;
    let webhook = hook(&world, WebhookEvent::ALL).await;
    let before = world.events().await;
    let mut tx = store.begin().await.unwrap();
    tx.append_event(media_ready(&world), NOON).await.unwrap();
    drop(tx);
    assert_eq!(world.events().await, before);
    assert!(deliveries(&world, webhook).await.is_empty());
    assert_eq!(store.next_delivery_at().await.unwrap(), None);
}

async fn what_an_event_is_about_is_shown_as_its_transaction_leaves_it(store: Store) {
    store.show_with(Box::new(|subject| match subject {
        Subject::Post(post) => json!({ "state": post.state.as_str(), "media": post.media_ids.len() }),
        Subject::Media(media) => json!({ "size": media.size_bytes }),
        Subject::Platform(platform) => json!({ "refreshNeeded": platform.refresh_needed }),
    }));
    let world = World::new(store.clone()).await;
    let webhook = hook(&world, WebhookEvent::ALL).await;
    world.media(77).await;
    world.post(true, None).await;
    must_reconnect(&store, world.platform).await;
    let bodies: Vec<serde_json::Value> = deliveries(&world, webhook)
        .await
        .iter()
        .rev()
        .map(|one| serde_json::from_str(&one.body).unwrap())
        .collect();
    let expected = [
        ("media.ready", json!({ "size": 77 })),
        ("post.created", json!({ "state": "QUEUE", "media": 0 })),
        ("post.queued", json!({ "state": "QUEUE", "media": 0 })),
        ("platform.refresh_needed", json!({ "refreshNeeded": true })),
    ];
    for (body, (kind, data)) in bodies.iter().zip(&expected) {
        assert_eq!(body, &json!({ "type": kind, "timestamp": NOON, "data": data }));
    }
    assert_eq!(bodies.len(), expected.len());
}

async fn a_claimed_delivery_is_nobody_elses_until_its_lease_ends_and_then_no_longer_ones_own(store: Store) {
    let world = World::new(store.clone()).await;
    let webhook = hook(&world, WebhookEvent::ALL).await;
    world.media(10).await;
    let first = store
        .claim_deliveries("node-1", CLAIM, NOON)
        .await
        .unwrap()
        .remove(0);
    assert_eq!((first.attempt, first.failures, first.secrets.len()), (1, 0, 1));
    assert!(
        store
            .claim_deliveries("node-2", CLAIM, NOON)
            .await
            .unwrap()
            .is_empty()
    );
    let end = NOON.plus(MINUTE);
    assert_eq!(store.next_delivery_at().await.unwrap(), Some(end));
    let second = store
        .claim_deliveries("node-2", CLAIM, end)
        .await
        .unwrap()
        .remove(0);
    assert_eq!(
        (second.id, second.attempt, second.deadline_at),
        (first.id, 2, first.deadline_at)
    );
    settle(&store, &first, Outcome::GivenUp).await;
    assert_eq!(deliveries(&world, webhook).await[0].state, DeliveryState::Pending);
    assert!(
        store
            .find_webhook(world.workspace, webhook)
            .await
            .unwrap()
            .unwrap()
            .disabled
            .is_none()
    );
    settle(&store, &second, Outcome::Delivered).await;
    assert_eq!(
        deliveries(&world, webhook).await[0].state,
        DeliveryState::Delivered
    );
    assert_eq!(store.next_delivery_at().await.unwrap(), None);
}

async fn webhooks_are_served_in_turns_and_busy_ones_not_at_all(store: Store) {
    let world = World::new(store.clone()).await;
    let crowded = hook(&world, &[WebhookEvent::MediaReady]).await;
    for _ in 0..20 {
        world.media(1).await;
    }
    let late = hook(&world, &[WebhookEvent::MediaReady]).await;
    world.media(1).await;
    let claimed = store.claim_deliveries("node-1", CLAIM, NOON).await.unwrap();
    let mut counts: HashMap<WebhookId, usize> = HashMap::new();
    for one in &claimed {
        *counts.entry(one.webhook_id).or_default() += 1;
    }
    assert_eq!(counts, HashMap::from([(crowded, 4), (late, 1)]));
    let busy = ClaimDeliveries {
        busy: &[late, crowded],
        ..CLAIM
    };
    assert!(
        store
            .claim_deliveries("node-1", busy, NOON)
            .await
            .unwrap()
            .is_empty()
    );
    let only_late = ClaimDeliveries {
        busy: &[late],
        ..CLAIM
    };
    assert_eq!(
        store
            .claim_deliveries("node-1", only_late, NOON)
            .await
            .unwrap()
            .len(),
        4
    );
}

async fn workspaces_are_served_in_turns_and_each_has_a_share(store: Store) {
    let world = World::new(store.clone()).await;
    for _ in 0..20 {
        hook(&world, &[WebhookEvent::MediaReady]).await;
    }
    for _ in 0..2 {
        world.media(1).await;
    }
    let late = world.neighbour().await;
    hook(&late, &[WebhookEvent::MediaReady]).await;
    late.media(1).await;
    let of =
        |claimed: &[Outgoing], workspace| claimed.iter().filter(|one| one.workspace_id == workspace).count();
    let two = ClaimDeliveries { limit: 2, ..CLAIM };
    let claimed = store.claim_deliveries("node-1", two, NOON).await.unwrap();
    assert_eq!(
        (of(&claimed, world.workspace), of(&claimed, late.workspace)),
        (1, 1)
    );
    late.media(1).await;
    let in_flight = [(world.workspace, 3)];
    let one = ClaimDeliveries {
        limit: 1,
        in_flight: &in_flight,
        ..CLAIM
    };
    let claimed = store.claim_deliveries("node-1", one, NOON).await.unwrap();
    assert_eq!(
        (of(&claimed, world.workspace), of(&claimed, late.workspace)),
        (0, 1)
    );
    let eight = ClaimDeliveries {
        per_workspace: 8,
        in_flight: &in_flight,
        ..CLAIM
    };
    let claimed = store.claim_deliveries("node-1", eight, NOON).await.unwrap();
    let mut webhooks: Vec<_> = claimed.iter().map(|one| one.webhook_id).collect();
    webhooks.sort();
    webhooks.dedup();
    assert_eq!((claimed.len(), webhooks.len()), (5, 5));
    let without = ClaimDeliveries {
        without: &[world.workspace],
        ..CLAIM
    };
    assert!(
        store
            .claim_deliveries("node-1", without, NOON)
            .await
            .unwrap()
            .is_empty()
    );
}

async fn a_webhook_that_is_removed_at_the_same_moment_takes_nothing_else_with_it(store: Store) {
    let world = World::new(store.clone()).await;
    let webhook = hook(&world, WebhookEvent::ALL).await;
    let mut tx = store.begin().await.unwrap();
    tx.append_event(media_ready(&world), NOON).await.unwrap();
    let other = world.clone();
    let removed = tokio::spawn(async move {
        other
            .store
            .delete_webhook(other.workspace, webhook, OPERATOR, None, NOON)
            .await
    });
    tx.commit().await.unwrap();
    assert!(removed.await.unwrap().unwrap());
    assert_eq!(world.events().await, ["media.ready"]);
    assert_eq!(store.next_delivery_at().await.unwrap(), None);
    world.media(1).await;
}

async fn of_two_who_claim_at_once_each_gets_others(store: Store) {
    let world = World::new(store.clone()).await;
    for _ in 0..6 {
        hook(&world, &[WebhookEvent::MediaReady]).await;
    }
    for _ in 0..4 {
        world.media(1).await;
    }
    let (one, two) = tokio::join!(
        store.claim_deliveries("node-1", CLAIM, NOON),
        store.claim_deliveries("node-2", CLAIM, NOON)
    );
    let mut ids: Vec<_> = one
        .unwrap()
        .into_iter()
        .chain(two.unwrap())
        .map(|held| held.id)
        .collect();
    let claimed = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), claimed), (20, 20));
}

async fn a_secret_signs_for_a_day_after_it_was_replaced(store: Store) {
    let world = World::new(store.clone()).await;
    let webhook = hook(&world, &[WebhookEvent::MediaReady]).await;
    let (new, keep) = (Secret::new("whsec_second"), Keep::nowhere());
    store
        .rotate_webhook_secret(world.workspace, webhook, &new, OPERATOR, keep, NOON)
        .await
        .unwrap();
    world.media(1).await;
    let both = store
        .claim_deliveries("node-1", CLAIM, NOON)
        .await
        .unwrap()
        .remove(0);
    let exposed: Vec<&str> = both.secrets.iter().map(Secret::expose).collect();
    assert_eq!(exposed, ["whsec_second", "whsec_first"]);
    let later = store
        .claim_deliveries("node-1", CLAIM, NOON.plus(DAY))
        .await
        .unwrap()
        .remove(0);
    assert_eq!(later.secrets.len(), 1);
    assert_eq!(later.secrets[0].expose(), "whsec_second");
}
