//! What the process that decodes a video can reach, and that it ends with the service.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use playout_media::confine::Launcher;
use serde_json::Value;

use super::scene::{Scene, padded_clip};
use crate::harness::{CLIP, Db, PATIENCE, eventually};

/// A directory with a bash script that stands in for ffmpeg.
fn stand_in(script: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("ffmpeg");
    std::fs::write(&program, format!("#!/bin/bash\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    directory
}

fn search_path(first: &tempfile::TempDir) -> String {
    format!("{}:/usr/bin:/bin", first.path().display())
}

/// Whether a process has `program` in its command line.
fn runs(program: &Path) -> bool {
    !processes_of(program).is_empty()
}

/// Where the system shows the processes that have `program` in their command line.
fn processes_of(program: &Path) -> Vec<PathBuf> {
    let program = program.to_str().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap();
    let has_program = |process: &PathBuf| {
        std::fs::read(process.join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(program))
    };
    processes
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(has_program)
        .collect()
}

/// Whether a process of `program` is killed after so many seconds of work.
fn is_limited(program: &Path, seconds: u32) -> bool {
    let limit = format!("cputime{seconds}{seconds}seconds");
    processes_of(program).iter().any(|process| {
        std::fs::read_to_string(process.join("limits"))
            .is_ok_and(|limits| limits.replace([' ', '\t'], "").contains(&limit))
    })
}

/// How many scripts run at `program`.
fn scripts(program: &Path) -> usize {
    let program = program.to_str().unwrap().as_bytes();
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok())
        .filter(|line| {
            let mut words = line.split(|byte| *byte == 0);
            words.next() == Some(b"/bin/bash") && words.next() == Some(program)
        })
        .count()
}

/// The sizes of the files below `directory` that are not complete.
fn unfinished(directory: &Path) -> Vec<u64> {
    let mut sizes = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sizes.extend(unfinished(&path));
        } else if path.to_string_lossy().contains('#') {
            sizes.extend(entry.metadata().map(|found| found.len()));
        }
    }
    sizes
}

/// Whether it comes to hold within that time.
async fn within(limit: Duration, holds: impl Fn() -> bool) -> bool {
    let wait = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(limit, wait).await.is_ok()
}

/// Draws a plain poster if it can read its input, and none if it can do anything else.
#[tokio::test]
async fn a_decoder_reads_the_upload_and_reaches_neither_the_data_directory_nor_the_network() {
    let playoutd = Launcher::new(env!("CARGO_BIN_EXE_playoutd").into());
    if !playoutd.gaps().unwrap().is_empty() {
        return;
    }
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (dir, port) = (scene.dir().display(), listener.local_addr().unwrap().port());
    let database = scene.database_url().trim_start_matches("sqlite://");
    assert!(Path::new(database).exists(), "{database}");
    let directory = stand_in(&format!(
        r#"for a in "$@"; do
             case $a in scale=*) s=${{a#scale=}};; file:*) input=${{a#file:}};; esac
           done
           w=${{s%%:*}}; s=${{s#*:}}; h=${{s%%:*}}
           : < "$input" || exit 1
           {{ :; }} < {dir}/secret.key && exit 2
           {{ :; }} < {database} && exit 3
           {{ :; }} > {dir}/new && exit 4
           {{ :; }} >> "$input" && exit 5
           {{ :; }} <> /dev/tcp/127.0.0.1/{port} && exit 6
           [[ -v PLAYOUT_DATA_DIR ]] && exit 7
           printf '%*s' $((w * h * 3)) ''"#
    ));
    let placeholder = blurhash(&scene, "/nowhere").await;
    assert_ne!(blurhash(&scene, &search_path(&directory)).await, placeholder);
}

/// What the clip's preview looks like when the service finds programs in `path`.
async fn blurhash(scene: &Scene, path: &str) -> Value {
    let mut service = scene.spawn(&[("PATH", path)]);
    service.ready(scene.api.http()).await;
    let media = scene
        .api
        .upload_form("clip.mp4", "video/mp4", CLIP, &[])
        .await
        .ok();
    let blurhash = &media["thumbnailMetadata"]["blurhash"];
    assert!(blurhash.is_string(), "{media}");
    blurhash.clone()
}

#[tokio::test]
async fn a_decoder_ends_when_the_service_is_killed() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let directory = stand_in("while :; do :; done");
    let mut service = scene.spawn(&[("PATH", &search_path(&directory))]);
    service.ready(scene.api.http()).await;
    let api = scene.api.clone();
    let program = directory.path().join("ffmpeg");
    let upload = tokio::spawn(async move { api.upload_clip().await });
    eventually("the decoder runs", async || runs(&program)).await;
    service.kill();
    eventually("the decoder has ended", async || !runs(&program)).await;
    upload.abort();
}

/// A poster counts 96 MiB of the 240 MiB that decoding may take, also for a client that has gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_posters_of_uploads_that_still_come_in_two_are_drawn_at_once() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let directory = stand_in("while :; do :; done");
    let program = directory.path().join("ffmpeg");
    let mut service = scene.spawn(&[("PATH", &search_path(&directory))]);
    service.ready(scene.api.http()).await;
    let media = scene.dir().join("media");
    let video = padded_clip(20_000_000);
    for _ in 0..2 {
        let mut clients = Vec::new();
        for _ in 0..3 {
            clients.push(scene.send_upload("a.mp4", &video, 1_000_000).await);
        }
        let have_come = || {
            let sizes = unfinished(&media);
            sizes.len() == 3 && sizes.iter().all(|size| *size >= 16_000_000)
        };
        assert!(within(PATIENCE, have_come).await, "{:?}", unfinished(&media));
        eventually("a poster is drawn", async || scripts(&program) >= 1).await;
        let is_crowded = within(Duration::from_secs(2), || scripts(&program) > 2).await;
        assert!(!is_crowded, "{} posters are drawn at once", scripts(&program));
        drop(clients);
        eventually("the files are gone", async || unfinished(&media).is_empty()).await;
    }
}

#[tokio::test]
async fn a_decoder_that_works_for_four_seconds_is_killed_and_leaves_a_placeholder() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let placeholder = blurhash(&scene, "/nowhere").await;
    let directory = stand_in("while :; do :; done");
    let program = directory.path().join("ffmpeg");
    let path = search_path(&directory);
    let found = eventually("the decoder has a limit", async || is_limited(&program, 4));
    let ((), blurhash) = tokio::join!(found, blurhash(&scene, &path));
    assert_eq!(blurhash, placeholder);
}
