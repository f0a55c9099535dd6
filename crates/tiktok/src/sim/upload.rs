//! PUT of chunks: streamed to disk and hashed on the way, a chunk at a time, in order.

use std::sync::Arc;

use axum::body::Body;
use axum::http::header;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use tokio::fs::OpenOptions;
use tokio::io::{AsyncSeekExt, AsyncWriteExt, SeekFrom};

use super::answer::Answer;
use super::call::{Call, Chunk};
use super::core::Core;
use super::media::Media;
use super::sniff::{self, Findings};
use super::task::{Stage, Upload};
use super::world::World;

/// Takes one chunk.
pub(super) async fn receive(core: &Arc<Core>, call: &Call, body: Body) -> Answer {
    let chunk = match core.with(|world| begin(world, call)) {
        Ok(chunk) => chunk,
        Err(answer) => {
            drain(body).await;
            return answer;
        }
    };
    let mut slot = Slot {
        core,
        publish_id: chunk.publish_id.clone(),
        open: true,
    };
    let written = write(core, &chunk, body).await;
    let outcome = match written {
        Ok(hash) => finish(core, &chunk, hash).await,
        Err(refused) => refused,
    };
    slot.open = false;
    core.with(|world| release(world, &chunk.publish_id));
    outcome
}

/// Reads a body to its end, so that the client receives the answer rather than a closed connection.
pub(super) async fn drain(body: Body) {
    let mut stream = body.into_data_stream();
    while let Some(Ok(_)) = stream.next().await {}
}

/// A chunk that may come now.
struct Incoming {
    publish_id: String,
    media_id: String,
    content_type: String,
    chunk: Chunk,
    hash: Sha256,
}

/// Frees the upload for the next chunk also when the client goes away in the middle.
struct Slot<'a> {
    core: &'a Core,
    publish_id: String,
    open: bool,
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        if self.open {
            self.core.with(|world| release(world, &self.publish_id));
        }
    }
}

fn release(world: &mut World, publish_id: &str) {
    if let Some(upload) = world.tasks.get_mut(publish_id).and_then(|task| task.upload_mut()) {
        upload.busy = false;
    }
}

/// Checks in the provider's order: headers (400), task (404), age (403), range (416), sizes (400).
fn begin(world: &mut World, call: &Call) -> Result<Incoming, Answer> {
    let content_type = call.header(header::CONTENT_TYPE).unwrap_or("").to_owned();
    let length = call
        .header(header::CONTENT_LENGTH)
        .and_then(|length| length.parse::<u64>().ok());
    let (Some(chunk), Some(length)) = (call.chunk(), length) else {
        return Err(refuse(400, "malformed_headers"));
    };
    if !["video/mp4", "video/quicktime", "video/webm"].contains(&content_type.as_str()) {
        return Err(refuse(400, "malformed_headers"));
    }
    let now = world.now;
    let publish_id = find_task(world, call).ok_or_else(|| refuse(404, "no_upload_task"))?;
    let task = world
        .tasks
        .get_mut(&publish_id)
        .ok_or_else(|| refuse(404, "no_upload_task"))?;
    let open = task.stage == Stage::Transfer;
    let upload = task.upload_mut().ok_or_else(|| refuse(404, "no_upload_task"))?;
    if upload.expires_at <= now {
        return Err(refuse(403, "upload_url_expired"));
    }
    if !open || upload.busy || chunk.first != upload.received || chunk.total != upload.size {
        return Err(Answer::Upload {
            status: 416,
            progress: Some(progress(upload)),
            code: "range_mismatch",
            is_complete: false,
        });
    }
    let is_last_of_plan = upload.chunks + 1 == upload.count;
    let fits = if is_last_of_plan {
        chunk.is_last()
    } else {
        chunk.length() == upload.chunk
    };
    if length != chunk.length() || !fits {
        return Err(refuse(400, "chunk_length"));
    }
    upload.busy = true;
    let (media_id, hash) = (upload.media_id.clone(), upload.hash.clone());
    Ok(Incoming {
        publish_id,
        media_id,
        content_type,
        chunk,
        hash,
    })
}

fn find_task(world: &World, call: &Call) -> Option<String> {
    let publish_id = world.uploads.get(&call.query("upload_id")?)?;
    let token = call.query("upload_token")?;
    let task = world.tasks.get(publish_id)?;
    match &task.source {
        super::task::Source::File(upload) if upload.token == token => Some(publish_id.clone()),
        _ => None,
    }
}

/// Writes the body behind what is there; the hash so far, or why the chunk does not count.
async fn write(core: &Core, chunk: &Incoming, body: Body) -> Result<Sha256, Answer> {
    let mut options = OpenOptions::new();
    let file = options
        .write(true)
        .create(true)
        .truncate(false)
        .open(core.shelf.path(&chunk.media_id))
        .await;
    let mut file = file.map_err(|_| refuse(500, "disk"))?;
    file.seek(SeekFrom::Start(chunk.chunk.first))
        .await
        .map_err(|_| refuse(500, "disk"))?;
    let (mut hash, mut left) = (chunk.hash.clone(), chunk.chunk.length());
    let mut stream = body.into_data_stream();
    while let Some(bytes) = stream.next().await {
        let bytes = bytes.map_err(|_| refuse(400, "body_broken"))?;
        left = left
            .checked_sub(bytes.len() as u64)
            .ok_or_else(|| refuse(400, "body_too_long"))?;
        hash.update(&bytes);
        file.write_all(&bytes).await.map_err(|_| refuse(500, "disk"))?;
    }
    file.flush().await.map_err(|_| refuse(500, "disk"))?;
    if left == 0 {
        Ok(hash)
    } else {
        Err(refuse(400, "body_too_short"))
    }
}

/// Counts the chunk; with the last one the task goes on to processing.
async fn finish(core: &Core, chunk: &Incoming, hash: Sha256) -> Answer {
    if !chunk.chunk.is_last() {
        return core
            .with(|world| count(world, chunk, hash))
            .unwrap_or_else(|| refuse(404, "no_upload_task"));
    }
    let path = core.shelf.path(&chunk.media_id);
    let Ok(Ok(findings)) = tokio::task::spawn_blocking(move || sniff::video(&path)).await else {
        return refuse(500, "disk");
    };
    core.with(|world| {
        let sha256 = hex::encode(hash.clone().finalize());
        let answer = count(world, chunk, hash)?;
        let problem = video_problem(world, &chunk.publish_id, &findings);
        let medium = Media {
            id: chunk.media_id.clone(),
            content_type: if findings.problem.is_some() {
                chunk.content_type.clone()
            } else {
                findings.content_type.to_owned()
            },
            size_bytes: chunk.chunk.total,
            sha256,
            url: None,
            width: findings.width,
            height: findings.height,
            duration_ms: findings.duration_ms,
        };
        world.arrived(&chunk.publish_id, vec![medium], problem);
        Some(answer)
    })
    .unwrap_or_else(|| refuse(404, "no_upload_task"))
}

fn count(world: &mut World, chunk: &Incoming, hash: Sha256) -> Option<Answer> {
    let (statuses, now) = (world.knobs.chunk_statuses, world.now);
    let task = world
        .tasks
        .get_mut(&chunk.publish_id)
        .filter(|task| task.stage == Stage::Transfer)?;
    let upload = task.upload_mut()?;
    upload.received = chunk.chunk.last + 1;
    upload.chunks += 1;
    upload.hash = hash;
    let is_complete = upload.received == upload.size;
    upload.complete_at = is_complete.then_some(now);
    Some(Answer::Upload {
        status: statuses.status(is_complete),
        progress: Some(progress(upload)),
        code: "ok",
        is_complete,
    })
}

/// Why a video is not fit for its account, if it is not.
pub(super) fn video_problem(world: &World, publish_id: &str, findings: &Findings) -> Option<String> {
    if !world.knobs.check_media {
        return None;
    }
    let task = world.tasks.get(publish_id)?;
    let longest = world
        .account(&task.open_id)
        .map_or(600, |account| account.max_video_sec);
    let too_long = findings.duration_ms > u64::from(longest) * 1_000;
    findings
        .problem
        .or(too_long.then_some("duration_check_failed"))
        .map(str::to_owned)
}

fn progress(upload: &Upload) -> String {
    format!("bytes 0-{}/{}", upload.received, upload.size)
}

fn refuse(status: u16, code: &'static str) -> Answer {
    Answer::Upload {
        status,
        progress: None,
        code,
        is_complete: false,
    }
}
