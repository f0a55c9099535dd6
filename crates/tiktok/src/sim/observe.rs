//! What a test may query of a running simulator: what was published, which requests came, which events were sent.

use std::collections::HashMap;

use super::account::Account;
use super::handle::Simulator;
use super::hooks::WebhookDelivery;
use super::journal::{JournalEntry, Misunderstood};
use super::ledger::{Comment, InboxDelivery, Publication};

/// An account, its posts and what was written under them.
#[derive(Debug, Clone)]
pub struct AccountSnapshot {
    /// The account and its flags.
    pub account: Account,
    /// Its posts, newest first.
    pub publications: Vec<Publication>,
    /// Drafts that wait in its inbox, newest first.
    pub waiting_drafts: Vec<InboxDelivery>,
}

impl AccountSnapshot {
    /// The comments under all its posts.
    pub fn comments(&self) -> Vec<Comment> {
        self.publications
            .iter()
            .flat_map(|post| post.comments.clone())
            .collect()
    }
}

impl Simulator {
    /// The account with this open_id or handle.
    pub fn account(&self, name: &str) -> Option<AccountSnapshot> {
        self.core().with(|world| {
            let account = world.find_account(name)?.clone();
            let publications = world.ledger.of_account(&account.open_id).cloned().collect();
            let drafts = world
                .ledger
                .drafts_of(&account.open_id)
                .filter(|draft| draft.posted_at.is_none());
            Some(AccountSnapshot {
                publications,
                waiting_drafts: drafts.cloned().collect(),
                account,
            })
        })
    }

    /// Every published post, in order.
    pub fn publications(&self) -> Vec<Publication> {
        self.core().with(|world| world.ledger.all().to_vec())
    }

    /// How many posts were published.
    pub fn publication_count(&self) -> usize {
        self.core().with(|world| world.ledger.all().len())
    }

    /// How many publish tasks were ever accepted, whatever their outcome.
    pub fn task_count(&self) -> usize {
        self.core().with(|world| world.tasks.len())
    }

    /// Every draft that reached an inbox, in order.
    pub fn inbox_deliveries(&self) -> Vec<InboxDelivery> {
        self.core().with(|world| world.ledger.drafts().to_vec())
    }

    /// Every request to the provider that is still remembered, in order.
    pub fn journal(&self) -> Vec<JournalEntry> {
        self.core().with(|_| ());
        self.core().journal().after(0)
    }

    /// Requests that made no sense: unknown addresses, bodies that are neither JSON nor a form.
    pub fn misunderstood(&self) -> Vec<Misunderstood> {
        self.core().journal().misunderstood()
    }

    /// Every event for the app, and what became of its delivery.
    pub fn webhooks(&self) -> Vec<WebhookDelivery> {
        self.core()
            .with(|world| world.hooks.deliveries.values().cloned().collect())
    }

    /// How often each URL was fetched for a PULL_FROM_URL.
    pub fn fetches(&self) -> HashMap<String, u64> {
        self.core().with(|world| world.fetches.clone())
    }
}
