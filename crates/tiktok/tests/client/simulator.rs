//! The client and the simulator, which share no type, over real HTTP.

mod accounts;
mod business;
mod posts;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use playout_domain::media::MimeType;
use playout_domain::platform::Platform;
use playout_domain::post::Draft;
use playout_domain::provider::{
    Accepted, AuthorizationRequest, ByteStream, ChunkAnswer, Fate, Progress, Provider, ProviderEventKind,
};
use playout_domain::secret::Secret;
use playout_domain::submission::{Chunk, UploadSession};
use playout_domain::time::{Clock, ManualClock};
use playout_tiktok::sim::{
    Account, ChunkStatuses, Endpoint, FailRule, Fault, FaultAction, Pkce, SimConfig, Simulator,
};
use playout_tiktok::{TikTok, TikTokConfig};
use serde_json::json;

use crate::canned::{Answer, Canned, empty};
use crate::setting::{NOW, client_with, draft, grant, media, object, platform, pull, upload, video_draft};

const SCOPES: [&str; 5] = [
    "user.info.basic",
    "user.info.profile",
    "video.publish",
    "video.upload",
    "video.list",
];

/// A provider, a client, and an account whose tokens the client holds.
struct World {
    sim: Simulator,
    client: TikTok,
    clock: ManualClock,
    platform: Platform,
    access: Secret,
    refresh: Secret,
}

impl Drop for World {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(
                self.sim.misunderstood().is_empty(),
                "{:?}",
                self.sim.misunderstood()
            );
        }
    }
}

impl World {
    async fn start() -> Self {
        Self::with(SimConfig::default()).await
    }

    async fn with(config: SimConfig) -> Self {
        let clock = ManualClock::at(NOW);
        let (key, secret) = (config.client_key.clone(), config.client_secret.clone());
        let sim = Simulator::start(config, Arc::new(clock.clone())).await.unwrap();
        sim.turn(|knobs| knobs.check_media = false);
        let url: url::Url = sim.url().parse().unwrap();
        let config = TikTokConfig {
            api_url: url.clone(),
            auth_url: url,
            ..TikTokConfig::new(key, Secret::new(secret))
        };
        let client = TikTok::new(config, Arc::new(clock.clone())).unwrap();
        let open_id = sim.add_account(Account::new("paperplanes"));
        let tokens = sim.grant(&open_id, &SCOPES);
        let mut platform = platform();
        platform.provider_account_id = open_id;
        platform
            .metadata
            .insert("username".to_owned(), json!("paperplanes"));
        Self {
            sim,
            client,
            clock,
            platform,
            access: Secret::new(tokens.access_token),
            refresh: Secret::new(tokens.refresh_token),
        }
    }

    async fn begin(&self, draft: &Draft) -> Accepted {
        let grant = grant(&self.platform, &self.access);
        self.client.begin(grant, &upload(draft)).await.unwrap()
    }

    async fn check(&self, handle: &str) -> Progress {
        self.client
            .check(grant(&self.platform, &self.access), handle)
            .await
            .unwrap()
    }

    /// Sends all pieces from `offset` on; the answer to the last.
    async fn send_from(&self, session: &UploadSession, mut offset: u64) -> ChunkAnswer {
        loop {
            let chunk = session.chunk_at(offset).unwrap();
            let answer = self.client.send(session, chunk, zeros(chunk)).await.unwrap();
            if chunk.is_last {
                return answer;
            }
            assert_eq!(answer, ChunkAnswer::Stored);
            offset += chunk.size_bytes;
        }
    }

    /// A small public video, all the way.
    async fn publish(&self) -> String {
        let accepted = self.begin(&video_draft(1_000)).await;
        let answer = self.send_from(accepted.upload.as_ref().unwrap(), 0).await;
        assert_eq!(answer, ChunkAnswer::Complete);
        accepted.handle
    }
}

/// As many zeros as `chunk` holds, in pieces.
fn zeros(chunk: Chunk) -> ByteStream {
    const PIECE: u64 = 1 << 20;
    static ZEROS: [u8; PIECE as usize] = [0; PIECE as usize];
    let pieces = (0..chunk.size_bytes.div_ceil(PIECE)).map(move |n| {
        let size = PIECE.min(chunk.size_bytes - n * PIECE);
        Ok(Bytes::from_static(&ZEROS[..usize::try_from(size).unwrap()]))
    });
    stream::iter(pieces).boxed()
}
