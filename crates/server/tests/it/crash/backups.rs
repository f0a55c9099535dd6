//! `docs/backup.md`, as it is written: a backup of a running service, what goes out after it, a restore, and nothing goes out twice.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use super::scene::{Scene, post_body};
use crate::harness::{Database, Db, Playoutd, eventually};

/// Where the search of a hold dies.
pub(super) const POINTS: [&str; 2] = ["hold.before_settle", "hold.after_settle"];

/// What the page has under a heading to be typed.
fn commands_under(heading: &str) -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/backup.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once(&format!("## {heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let blocks = section.split("```sh\n").skip(1);
    blocks
        .flat_map(|block| block.split("```").next().unwrap().lines())
        .map(str::to_owned)
        .collect()
}

/// Types them, with backups in this directory.
async fn type_in(scene: &Scene, (heading, backups): (&str, &Path), settings: &[(&'static str, &str)]) {
    let commands = commands_under(heading);
    assert!(!commands.is_empty(), "{heading}");
    for line in commands {
        let line = line.replace("/var/backups/playout", backups.to_str().unwrap());
        let plain = scene.starting(settings, Playoutd::command);
        let program = Path::new(plain.get_program()).parent().unwrap().to_owned();
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("PATH={}:$PATH; {line}", program.display())])
            .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let output = tokio::task::spawn_blocking(move || command.output());
        let output = output.await.unwrap().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {said}");
    }
}

async fn a_restored_backup_publishes_nothing_twice(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let mut first = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    let before = post_body(&platform, "before the backup", std::slice::from_ref(&clip));
    let before = scene.api.create_post(&before).await;
    assert_eq!(scene.settled(&before).await["state"], "PUBLISHED");
    let mut after = post_body(&platform, "after the backup", std::slice::from_ref(&clip));
    after["mode"] = "draft".into();
    let after = scene.api.create_post(&after).await;

    let elsewhere = tempfile::tempdir().unwrap();
    let backups = elsewhere.path().join("backups");
    type_in(&scene, ("Making a backup", &backups), &[]).await;
    let publish = format!("/public/v1/posts/{after}/publish");
    scene.api.post(&publish, &json!({})).await.ok();
    assert_eq!(scene.settled(&after).await["state"], "PUBLISHED");
    first.kill();

    let data = elsewhere.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let database = Database::empty(db, &data).await;
    let settings = [
        ("PLAYOUT_DATA_DIR", data.to_str().unwrap()),
        ("PLAYOUT_DATABASE_URL", database.url.as_str()),
    ];
    type_in(&scene, ("Restoring", &backups), &settings).await;
    for point in POINTS {
        let dying = [&settings[..], &[("PLAYOUT_FAILPOINT", point)]].concat();
        scene.dies(scene.spawn(&dying), point).await;
    }
    let mut restored = scene.spawn(&settings);
    restored.ready(scene.api.http()).await;
    let nobody = scene.api.with_key(None);
    eventually("the hold is over", async || {
        nobody.get("/readyz").await.json()["hold"] == false
    })
    .await;
    for post in [&before, &after] {
        let root = scene.settled(post).await;
        assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    }
    assert_eq!(scene.sim.publication_count(), 2);
    // The files are there: one more post goes out with the video of before.
    let again = scene
        .api
        .create_post(&post_body(&platform, "afterwards", &[clip]))
        .await;
    assert_eq!(scene.settled(&again).await["state"], "PUBLISHED");
    assert_eq!(scene.sim.publication_count(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_backup_publishes_nothing_twice_on_sqlite() {
    a_restored_backup_publishes_nothing_twice(Db::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_backup_publishes_nothing_twice_on_postgres() {
    a_restored_backup_publishes_nothing_twice(Db::Postgres).await;
}
