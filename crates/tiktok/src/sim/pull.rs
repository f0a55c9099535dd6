//! PULL_FROM_URL: the provider really fetches, once each, without following redirects.

use std::path::Path;
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::header::CONTENT_TYPE;
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::core::Core;
use super::media::Media;
use super::sniff::{self, Findings};
use super::task::{Kind, Source, Stage};
use super::upload::video_problem;
use super::world::World;

/// Largest picture: 20 MB.
const PICTURE_LIMIT: u64 = 20_000_000;
/// Largest video: 4 GB.
const VIDEO_LIMIT: u64 = 4 * 1024 * 1024 * 1024;

/// The limit of a fetch: a server that does not answer by then has failed. The real provider takes an hour.
const LONGEST: Duration = Duration::from_secs(60);

/// Fetches all files of a task, unless it is cancelled first.
pub(super) async fn run(core: &Core, publish_id: &str) {
    let Some(job) = core.with(|world| Job::of(world, publish_id)) else {
        return;
    };
    let Ok(_permit) = core.pulls.acquire().await else {
        return;
    };
    tokio::select! {
        () = job.abort.cancelled() => {}
        fetched = timeout(LONGEST, fetch_all(core, &job)) => core.with(|world| match fetched {
            Ok(Some((media, problem))) => world.arrived(publish_id, media, problem),
            Ok(None) | Err(_) => world.pull_failed(publish_id),
        }),
    }
}

/// What is to be fetched.
struct Job {
    publish_id: String,
    kind: Kind,
    urls: Vec<String>,
    abort: CancellationToken,
}

impl Job {
    fn of(world: &World, publish_id: &str) -> Option<Self> {
        let task = world
            .tasks
            .get(publish_id)
            .filter(|task| task.stage == Stage::Transfer)?;
        let Source::Url(pull) = &task.source else {
            return None;
        };
        Some(Self {
            publish_id: publish_id.to_owned(),
            kind: task.kind,
            urls: pull.urls.clone(),
            abort: pull.abort.clone(),
        })
    }

    fn limit(&self) -> u64 {
        match self.kind {
            Kind::Photo => PICTURE_LIMIT,
            Kind::Video => VIDEO_LIMIT,
        }
    }
}

/// The files and what is wrong with the first unfit one; `None` if one could not be fetched.
async fn fetch_all(core: &Core, job: &Job) -> Option<(Vec<Media>, Option<String>)> {
    let (mut media, mut problem) = (Vec::new(), None);
    for url in &job.urls {
        let (medium, found) = fetch(core, job, url).await?;
        media.push(medium);
        problem = problem.or(found);
    }
    Some((media, problem))
}

async fn fetch(core: &Core, job: &Job, url: &str) -> Option<(Media, Option<String>)> {
    let media_id = core.with(|world| {
        *world.fetches.entry(url.to_owned()).or_default() += 1;
        world.ids.number(world.now).to_string()
    });
    let response = core.http.get(url).send().await.ok()?;
    if response.status() != reqwest::StatusCode::OK {
        return None;
    }
    let declared = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or("");
    let declared = declared
        .split(';')
        .next()
        .unwrap_or("")
        .trim()
        .to_ascii_lowercase();
    let path = core.shelf.path(&media_id);
    let (size_bytes, sha256) = save(core, job, response, &path).await?;
    let kind = job.kind;
    let look = move || {
        if kind == Kind::Photo {
            sniff::picture(&path)
        } else {
            sniff::video(&path)
        }
    };
    let findings = tokio::task::spawn_blocking(look).await.ok()?.ok()?;
    let problem = core.with(|world| judge(world, job, &findings, &declared));
    let medium = Media {
        id: media_id,
        content_type: findings.content_type.to_owned(),
        size_bytes,
        sha256,
        url: Some(url.to_owned()),
        width: findings.width,
        height: findings.height,
        duration_ms: findings.duration_ms,
    };
    Some((medium, problem))
}

/// Streams a response to disk: its length and hash; `None` if it breaks off or is too large.
async fn save(core: &Core, job: &Job, response: reqwest::Response, path: &Path) -> Option<(u64, String)> {
    let mut file = File::create(path).await.ok()?;
    let (mut hash, mut length) = (Sha256::new(), 0u64);
    let mut stream = response.bytes_stream();
    while let Some(bytes) = stream.next().await {
        let bytes = bytes.ok()?;
        length += bytes.len() as u64;
        if length > job.limit() {
            return None;
        }
        hash.update(&bytes);
        file.write_all(&bytes).await.ok()?;
        core.with(|world| progress(world, &job.publish_id, bytes.len() as u64));
    }
    file.flush().await.ok()?;
    Some((length, hex::encode(hash.finalize())))
}

fn progress(world: &mut World, publish_id: &str, more: u64) {
    if let Some(Source::Url(pull)) = world.tasks.get_mut(publish_id).map(|task| &mut task.source) {
        pull.downloaded += more;
    }
}

/// What is wrong with a fetched file: its declared type, its bytes, its dimensions.
fn judge(world: &World, job: &Job, findings: &Findings, declared: &str) -> Option<String> {
    if !world.knobs.check_media {
        return None;
    }
    let known: &[&str] = match job.kind {
        Kind::Photo => &["image/jpeg", "image/webp"],
        Kind::Video => &["video/mp4", "video/quicktime", "video/webm"],
    };
    if !known.contains(&declared) {
        return Some("file_format_check_failed".to_owned());
    }
    match job.kind {
        Kind::Photo => findings.problem.map(str::to_owned),
        Kind::Video => video_problem(world, &job.publish_id, findings),
    }
}
