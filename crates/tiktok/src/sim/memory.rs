//! What happened before the simulator was started. It keeps everything in memory; a caller that starts it anew beside a
//! service with older data enters that data here.

use std::io;

use bytes::Bytes;
use playout_domain::time::Time;
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::core::Core;
use super::grants::{App, TokenPair};
use super::handle::Simulator;
use super::ledger::{InboxDelivery, Publication};
use super::media::Media;
use super::sniff;
use super::task::{Kind, Mode, PostInfo, Pull, Source, Stage, Task};
use super::world::World;

/// A post of the creator app that went out before, or a draft that was delivered before.
#[derive(Debug, Clone)]
pub struct Past {
    /// The account (open_id).
    pub open_id: String,
    /// The task that made it.
    pub publish_id: String,
    /// The post's number; `None` of a draft, which waits in the inbox.
    pub post_id: Option<String>,
    /// Video or photos.
    pub kind: Kind,
    /// What the app sent about it.
    pub info: PostInfo,
    /// The bytes of its media, in order.
    pub media: Vec<Bytes>,
    /// When it went out, or arrived.
    pub at: Time,
}

impl Simulator {
    /// Enters tokens that the creator app was given before; their lifetimes count from now.
    pub fn remember_tokens(&self, pair: &TokenPair) {
        self.core()
            .with(|world| world.grants.remember(App::Creator, pair, world.now));
    }

    /// Enters what happened before; profiles show it in the order of the calls. No event is sent. `false`, and
    /// nothing is entered, if its account is unknown or its task is known already.
    ///
    /// # Errors
    /// When the temporary folder does not take its bytes.
    pub fn remember(&self, past: &Past) -> io::Result<bool> {
        let keep = |bytes: &Bytes| keep(self.core(), past.kind, bytes);
        let media = past.media.iter().map(keep).collect::<io::Result<Vec<Media>>>()?;
        Ok(self.core().with(|world| world.remember(past, media)))
    }
}

/// Stores the bytes once, whatever the number of calls.
fn keep(core: &Core, kind: Kind, bytes: &Bytes) -> io::Result<Media> {
    let sha256 = hex::encode(Sha256::digest(bytes));
    let path = core.shelf.path(&sha256);
    if !path.exists() {
        std::fs::write(&path, bytes)?;
    }
    let found = match kind {
        Kind::Video => sniff::video(&path)?,
        Kind::Photo => sniff::picture(&path)?,
    };
    Ok(Media {
        id: sha256.clone(),
        content_type: found.content_type.to_owned(),
        size_bytes: bytes.len() as u64,
        sha256,
        url: None,
        width: found.width,
        height: found.height,
        duration_ms: found.duration_ms,
    })
}

impl World {
    fn remember(&mut self, past: &Past, media: Vec<Media>) -> bool {
        let username = self
            .account(&past.open_id)
            .map(|account| account.username.clone());
        let (Some(username), false) = (username, self.tasks.contains_key(&past.publish_id)) else {
            return false;
        };
        let types = media
            .iter()
            .map(|medium| (medium.id.clone(), medium.content_type.clone()));
        self.media_types.extend(types);
        self.tasks
            .insert(past.publish_id.clone(), past.task(media.clone()));
        match &past.post_id {
            Some(post_id) => self.ledger.enter(past.publication(username, post_id, media)),
            None => {
                self.ledger.deliver(past.delivery(media));
                true
            }
        }
    }
}

impl Past {
    fn task(&self, media: Vec<Media>) -> Task {
        let (mode, stage) = match self.post_id {
            Some(_) => (Mode::Direct, Stage::Complete),
            None => (Mode::Draft, Stage::Inbox),
        };
        let fetched = Pull {
            urls: Vec::new(),
            downloaded: 0,
            abort: CancellationToken::new(),
        };
        Task {
            publish_id: self.publish_id.clone(),
            open_id: self.open_id.clone(),
            app: App::Creator,
            kind: self.kind,
            mode,
            info: self.info.clone(),
            source: Source::Url(fetched),
            stage,
            problem: None,
            media,
            inited_at: self.at,
        }
    }

    fn publication(&self, username: String, post_id: &str, media: Vec<Media>) -> Publication {
        let is_public = self.info.privacy_level == "PUBLIC_TO_EVERYONE";
        Publication {
            open_id: self.open_id.clone(),
            username,
            kind: self.kind,
            mode: Mode::Direct,
            publish_id: self.publish_id.clone(),
            post_id: post_id.to_owned(),
            caption: self.info.caption(),
            info: self.info.clone(),
            media,
            inited_at: self.at,
            published_at: self.at,
            public_at: is_public.then_some(self.at),
            comments: Vec::new(),
        }
    }

    fn delivery(&self, media: Vec<Media>) -> InboxDelivery {
        InboxDelivery {
            publish_id: self.publish_id.clone(),
            open_id: self.open_id.clone(),
            kind: self.kind,
            title: self.info.title.clone(),
            description: self.info.description.clone(),
            media,
            delivered_at: self.at,
            posted_at: None,
        }
    }
}
