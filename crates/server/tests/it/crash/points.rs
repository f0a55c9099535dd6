//! Root posts: the process dies at every point of a publish, is started again, and the post still goes out once.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint, SCOPES};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::scene::{Scene, padded_clip, post_body};
use crate::harness::{Db, PATIENCE};

/// What travels, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// A video in one piece.
    Upload,
    /// A video in seven pieces.
    Chunks,
    /// Photos that the provider fetches.
    Photos,
    /// A video that the provider fetches.
    PulledVideo,
}

/// When the provider fetches, and what of it the service learns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pull {
    /// At once. For uploads: it does not.
    Now,
    /// After a second: the handle is stored by then.
    Soon,
    /// Long after the process has died.
    Later,
    /// Before it answers the hand-over.
    Before,
    /// As `Later`, and its answer is lost.
    LaterUnanswered,
    /// As `Before`, and its answer is lost.
    BeforeUnanswered,
    /// As `Before`, for a grant that does not permit listing posts.
    BeforeUnseen,
}

/// One crash. `unconfirmed`: only a person can determine the post's outcome.
#[derive(Debug, Clone, Copy)]
struct Case {
    flow: Flow,
    point: &'static str,
    pull: Pull,
    unconfirmed: bool,
}

const UPLOAD: [&str; 17] = [
    "publish.before_options",
    "publish.before_open",
    "publish.after_open",
    "publish.before_begin",
    "publish.after_begin",
    "publish.before_save_handle",
    "publish.after_save_handle",
    "publish.before_last_byte",
    "publish.after_last_byte",
    "publish.after_last_chunk",
    "publish.after_chunk",
    "publish.after_release",
    "publish.before_check",
    "publish.after_check",
    "publish.before_settle",
    "publish.after_settle",
    "news.after_take_over",
];

const CHUNKS: [&str; 5] = [
    "publish.after_other_chunk",
    "publish.after_chunk",
    "publish.before_last_byte",
    "publish.after_last_byte",
    "publish.after_last_chunk",
];

const PULL: [(&str, Pull); 21] = [
    ("publish.before_options", Pull::Now),
    ("publish.before_open", Pull::Now),
    ("publish.after_open", Pull::Now),
    ("publish.before_begin", Pull::Now),
    ("publish.after_begin", Pull::Later),
    ("publish.after_begin", Pull::Before),
    ("publish.before_save_handle", Pull::Later),
    ("publish.before_save_handle", Pull::Before),
    ("publish.after_save_handle", Pull::Soon),
    ("publish.after_release", Pull::Soon),
    ("pull.before_note", Pull::Soon),
    ("pull.after_note", Pull::Soon),
    ("publish.before_check", Pull::Now),
    ("publish.after_check", Pull::Now),
    ("publish.before_settle", Pull::Now),
    ("publish.after_settle", Pull::Now),
    ("news.after_take_over", Pull::Soon),
    ("publish.before_revoke", Pull::LaterUnanswered),
    ("publish.before_revoke", Pull::BeforeUnanswered),
    ("publish.after_revoke", Pull::LaterUnanswered),
    ("publish.after_revoke", Pull::BeforeUnanswered),
];

/// How many crashes run at the same time.
const AT_ONCE: usize = 8;

fn uploads() -> Vec<Case> {
    let case = |point: &&'static str| Case {
        flow: Flow::Upload,
        point,
        pull: Pull::Now,
        unconfirmed: false,
    };
    UPLOAD.iter().map(case).collect()
}

fn pulls(flow: Flow) -> Vec<Case> {
    let case = |(point, pull): &(&'static str, Pull)| Case {
        flow,
        point,
        pull: *pull,
        unconfirmed: false,
    };
    PULL.iter().map(case).collect()
}

/// The looks for a lost handle take two minutes: it goes first.
fn unseen() -> Case {
    Case {
        flow: Flow::Photos,
        point: "publish.after_begin",
        pull: Pull::BeforeUnseen,
        unconfirmed: true,
    }
}

fn every_second(cases: Vec<Case>) -> Vec<Case> {
    cases.into_iter().step_by(2).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_survives_death_at_every_point_on_sqlite() {
    all_survive(Db::Sqlite, uploads()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_survives_death_on_postgres() {
    all_survive(Db::Postgres, every_second(uploads())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pulled_photos_survive_death_at_every_point_on_sqlite() {
    let cases = std::iter::once(unseen()).chain(pulls(Flow::Photos));
    all_survive(Db::Sqlite, cases.collect()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pulled_photos_survive_death_on_postgres() {
    all_survive(Db::Postgres, every_second(pulls(Flow::Photos))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pulled_video_survives_death_at_every_point_on_sqlite() {
    all_survive(Db::Sqlite, pulls(Flow::PulledVideo)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_in_pieces_survives_death_at_every_point() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    let video = padded_clip(72_000_000);
    let uploaded = scene
        .api
        .upload_form("long.mp4", "video/mp4", &video, &[])
        .await
        .ok();
    let media = [uploaded["id"].as_str().unwrap().to_owned()];
    for point in CHUNKS {
        let post = scene.api.create_post(&post_body(&platform, point, &media)).await;
        api.kill();
        let case = Case {
            flow: Flow::Chunks,
            point,
            pull: Pull::Now,
            unconfirmed: false,
        };
        die_and_recover(&scene, case, &post).await;
        api = scene.serve_api(&[]).await;
    }
}

async fn all_survive(db: Db, cases: Vec<Case>) {
    let room = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = JoinSet::new();
    let count = cases.len();
    for case in cases {
        let room = Arc::clone(&room);
        running.spawn(async move {
            let _place = room.acquire().await.unwrap();
            survives(db, case).await;
        });
    }
    let mut failed = 0;
    while let Some(end) = running.join_next().await {
        failed += usize::from(end.is_err());
    }
    assert_eq!(
        failed, 0,
        "of {count} cases on {db:?} so many failed; their messages are above"
    );
}

async fn survives(db: Db, case: Case) {
    let transfer = if case.flow == Flow::PulledVideo {
        "pull"
    } else {
        "auto"
    };
    let scene = Scene::set(db, &[("PLAYOUT_TIKTOK_TRANSFER", transfer)]).await;
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", scopes(case.pull)).await;
    let media = match case.flow {
        Flow::Photos => vec![
            scene.api.upload_photo(1254, 1254).await,
            scene.api.upload_photo(540, 960).await,
        ],
        Flow::Upload | Flow::Chunks | Flow::PulledVideo => vec![scene.api.upload_clip().await],
    };
    let post = scene
        .api
        .create_post(&post_body(&platform, case.point, &media))
        .await;
    api.kill();
    die_and_recover(&scene, case, &post).await;
}

fn scopes(pull: Pull) -> &'static [&'static str] {
    const BLIND: [&str; 3] = ["user.info.basic", "video.publish", "video.upload"];
    assert!(BLIND.iter().all(|scope| SCOPES.contains(scope)));
    if pull == Pull::BeforeUnseen {
        &["user.info.basic", "video.publish", "video.upload"]
    } else {
        &[]
    }
}

async fn die_and_recover(scene: &Scene, case: Case, post: &str) {
    prepare(scene, case);
    let process = scene.spawn(&[("PLAYOUT_FAILPOINT", case.point)]);
    if matches!(
        case.pull,
        Pull::Before | Pull::BeforeUnanswered | Pull::BeforeUnseen
    ) {
        published(scene, case).await;
        scene.sim.release(begin_of(case.flow));
    }
    scene.dies(process, case.point).await;
    scene.sim.release(Endpoint::Status);
    scene.sim.turn(|knobs| knobs.pull_delay_ms = 0);
    let _process = scene.serve().await;
    let mut root = scene.settled(post).await;
    if case.point.starts_with("news.") {
        // The notification that it is out may be repeated before the one with its ID arrives.
        let named = |group: &serde_json::Value| group["root"]["releaseId"].is_string();
        root = scene.wait_for(post, named).await["root"].take();
    }
    // What the provider has yet to fetch, it fetches now.
    scene.sim.advance(Duration::from_secs(60));
    scene.sim.idle().await;
    assert_right(scene, case, &root);
}

fn begin_of(flow: Flow) -> Endpoint {
    if flow == Flow::Photos {
        Endpoint::ContentInit
    } else {
        Endpoint::VideoInit
    }
}

fn prepare(scene: &Scene, case: Case) {
    let begin = begin_of(case.flow);
    let pull_delay_ms = match case.pull {
        Pull::Soon => 1_000,
        Pull::Later | Pull::LaterUnanswered => 30_000,
        Pull::Now | Pull::Before | Pull::BeforeUnanswered | Pull::BeforeUnseen => 0,
    };
    // Notifications would settle a post before most points are reached.
    let is_told = case.point.starts_with("news.");
    scene
        .sim
        .turn(|knobs| (knobs.pull_delay_ms, knobs.webhooks) = (pull_delay_ms, is_told));
    if is_told {
        // And a response to a status request would settle it before its notification, on a slow machine.
        scene.sim.hold(Endpoint::Status, HoldPoint::Before);
    }
    if matches!(
        case.pull,
        Pull::Before | Pull::BeforeUnanswered | Pull::BeforeUnseen
    ) {
        scene.sim.hold(begin, HoldPoint::After);
    }
    if matches!(case.pull, Pull::LaterUnanswered | Pull::BeforeUnanswered) {
        scene.sim.inject(Fault::new(begin, FaultAction::DropAfter));
    }
}

/// Waits until the post is out, while the answer to its hand-over is held back.
async fn published(scene: &Scene, case: Case) {
    let is_out = || {
        let publications = scene.sim.publications();
        publications.iter().any(|out| out.caption == case.point)
    };
    let waiting = async {
        while !is_out() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(waited.is_ok(), "{case:?}: nothing came out: {}", scene.log());
}

/// Exactly one publication; and the post's state shows it, unless its outcome cannot be known.
fn assert_right(scene: &Scene, case: Case, root: &serde_json::Value) {
    let out: Vec<_> = scene
        .sim
        .publications()
        .into_iter()
        .filter(|out| out.caption == case.point)
        .collect();
    assert_eq!(
        out.len(),
        1,
        "{case:?}: published {} times; {root:#}\n{}",
        out.len(),
        scene.log()
    );
    if case.unconfirmed {
        assert_eq!(
            root["state"],
            "ACTION_REQUIRED",
            "{case:?}: {root:#}\n{}",
            scene.log()
        );
        let text = root["errorText"].as_str().unwrap();
        assert!(text.starts_with("It is unknown whether"), "{case:?}: {text}");
    } else {
        assert_eq!(root["state"], "PUBLISHED", "{case:?}: {root:#}\n{}", scene.log());
        assert_eq!(root["releaseId"], out[0].post_id.as_str(), "{case:?}: {root:#}");
    }
    let misunderstood = scene.sim.misunderstood();
    assert!(
        misunderstood.is_empty(),
        "{case:?}: the provider did not understand {misunderstood:#?}"
    );
}

#[test]
fn the_documented_points_are_those_in_the_code_and_those_that_are_tested() {
    let documented: BTreeSet<String> = rows(include_str!("../../../../../docs/failpoints.md"));
    let mut tested: BTreeSet<String> = UPLOAD
        .iter()
        .chain(&CHUNKS)
        .map(|point| (*point).to_owned())
        .collect();
    tested.extend(PULL.iter().map(|(point, _)| (*point).to_owned()));
    tested.extend(
        super::comments::POINTS
            .iter()
            .map(|(point, ..)| (*point).to_owned()),
    );
    tested.extend(
        super::refresh::POINTS
            .iter()
            .map(|(point, ..)| (*point).to_owned()),
    );
    tested.extend(super::media::POINTS.map(str::to_owned));
    tested.extend(super::giving_up::POINTS.map(str::to_owned));
    tested.extend(super::slides::POINTS.map(|(point, _)| point.to_owned()));
    tested.extend(
        super::uploads::POINTS
            .iter()
            .map(|(point, ..)| (*point).to_owned()),
    );
    tested.extend(super::taken_back::POINTS.map(str::to_owned));
    tested.extend(super::backups::POINTS.map(str::to_owned));
    tested.extend(super::doubt::POINTS.map(str::to_owned));
    tested.extend(super::internal::POINTS.map(str::to_owned));
    tested.extend(super::webhooks::POINTS.map(str::to_owned));
    tested.extend(super::once::POINTS.iter().map(|(point, _)| (*point).to_owned()));
    assert_eq!(documented, reached(), "left: docs/failpoints.md, right: the code");
    assert_eq!(documented, tested, "left: docs/failpoints.md, right: the tests");
}

/// The first column of the table.
fn rows(text: &str) -> BTreeSet<String> {
    let row = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    text.lines().filter_map(row).collect()
}

/// Every text within a call of `reach` in the server's sources.
fn reached() -> BTreeSet<String> {
    let mut folders = vec![std::path::PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src"
    ))];
    let mut found = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(path).unwrap();
            for call in source.split(".failpoint(").skip(1) {
                let arguments = call.split_once(");").map_or(call, |(arguments, _)| arguments);
                found.extend(arguments.split('"').skip(1).step_by(2).map(str::to_owned));
            }
        }
    }
    found
}
