//! What cannot work is reported at the start, in one sentence that names what to do.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use sqlx::{Connection, Executor, PgConnection, SqliteConnection};

use super::scene::Scene;
use crate::harness::{Db, PATIENCE, Playoutd, SHARED_KEY, eventually, on_both};

on_both!(
    a_wrong_secret_key_is_found_at_the_start,
    a_newer_schema_that_takes_something_away_is_left_alone,
);

/// Starts the service, which must refuse; returns why, which must be one line. Warnings before it are left out.
async fn refusal(mut command: Command) -> String {
    command.arg("serve").stdout(Stdio::null()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let waiting = async {
        while process.try_wait().unwrap().is_none() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    let _already_dead = process.kill();
    assert!(waited.is_ok(), "it goes on after {PATIENCE:?}");
    let output = process.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    let lines = said.lines().filter(|line| !line.contains(" WARN "));
    let said = lines.collect::<Vec<_>>().join("\n");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("playoutd: "), "{said}");
    said
}

async fn refusal_with(scene: &Scene, more: &[(&'static str, &str)]) -> String {
    refusal(scene.starting(more, Playoutd::command)).await
}

#[tokio::test]
async fn a_database_that_cannot_be_written_to_is_named() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    for (mode, reason) in [
        (0o444, "readonly database"),
        (0o000, "unable to open database file"),
    ] {
        let said = refusal(locked_out(&scene, mode)).await;
        let file = scene.dir().join("playout.db");
        let named = format!("cannot open the SQLite file {} for writing", file.display());
        assert!(said.contains(&named) && said.contains(reason), "{mode:o}: {said}");
        assert!(
            said.contains("run it as the user that the service runs as") && !said.contains("Error code"),
            "{mode:o}: {said}"
        );
    }
}

#[tokio::test]
async fn a_secret_key_that_cannot_be_read_is_named_with_what_to_do() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let command = locked_out(&scene, 0o666);
    let key = scene.dir().join("secret.key");
    std::fs::set_permissions(&key, PermissionsExt::from_mode(0o000)).unwrap();
    let said = refusal(command).await;
    assert!(
        said.contains(&format!("{}: Permission denied", key.display()))
            && said.contains("as the user that the service runs as"),
        "{said}"
    );
}

/// `playoutd` as a user who may read the data directory, but has only `mode` on the database.
fn locked_out(scene: &Scene, mode: u32) -> Command {
    let allow = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    for entry in std::fs::read_dir(scene.dir()).unwrap() {
        let path = entry.unwrap().path();
        allow(&path, if path.is_dir() { 0o777 } else { 0o666 });
    }
    allow(scene.dir(), 0o777);
    allow(&scene.dir().join("playout.db"), mode);
    let plain = scene.starting(&[], Playoutd::command);
    if !is_root() {
        return plain;
    }
    // Permissions do not bind the superuser. Others may be kept from the folder of the program: it is copied.
    let program = scene.dir().join("playoutd");
    std::fs::copy(plain.get_program(), &program).unwrap();
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(program);
    command
        .current_dir(scene.dir())
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}

/// The secret key of its database.
fn key_of(scene: &Scene, db: Db) -> String {
    match db {
        Db::Sqlite => std::fs::read_to_string(scene.dir().join("secret.key"))
            .unwrap()
            .trim()
            .to_owned(),
        Db::Postgres => SHARED_KEY.to_owned(),
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout == b"0\n"
}

/// The error for a wrong key in the environment: the same in the log and from each command.
fn advice(scene: &Scene, db: Db) -> String {
    let file = scene.dir().join("secret.key");
    let end = match db {
        Db::Sqlite => format!(
            ", or, if it is the one in {}, unset PLAYOUT_SECRET_KEY",
            file.display()
        ),
        Db::Postgres => String::new(),
    };
    format!(
        "the secret key is not the one that this database was written with: set PLAYOUT_SECRET_KEY to that one{end}"
    )
}

async fn a_wrong_secret_key_is_found_at_the_start(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let mut process = scene.serve().await;
    scene.connect("kitestudio", &[]).await;
    process.kill();
    let other = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    let mut process = scene.spawn(&[("PLAYOUT_SECRET_KEY", other)]);
    let nobody = scene.api.with_key(None);
    eventually("the key was compared", async || {
        let asked = nobody.request(Method::GET, "/readyz").send().await;
        let Ok(answer) = asked else { return false };
        answer
            .json::<Value>()
            .await
            .is_ok_and(|ready| ready["key"] == "failing")
    })
    .await;
    assert_eq!(nobody.get("/healthz").await.status, 200);
    assert_eq!(nobody.get("/readyz").await.status, 503);
    scene
        .api
        .get("/public/v1/posts")
        .await
        .refused(503, "unavailable");
    process.kill();
    for args in [&["check"][..], &["admin", "engine", "status"]] {
        let mut command = scene.starting(&[("PLAYOUT_SECRET_KEY", other)], Playoutd::command);
        let output = command.args(args).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && said.contains(&advice(&scene, db)),
            "{args:?}: {said}"
        );
    }
    let said = scene.log();
    assert!(said.contains("the secret key is not the one"), "{said}");
    assert!(said.contains(&advice(&scene, db)), "{said}");
    assert!(!said.contains(other), "{said}");
    let rotated = format!("{other},{}", key_of(&scene, db));
    let mut process = scene.spawn(&[("PLAYOUT_SECRET_KEY", &rotated)]);
    process.ready(scene.api.http()).await;
}

async fn a_newer_schema_that_takes_something_away_is_left_alone(db: Db) {
    let scene = Scene::set(db, &[]).await;
    let sql = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
            SELECT 999, 'of the future', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1;
            UPDATE compatibility SET oldest = 999";
    match db {
        Db::Sqlite => {
            let mut connection = SqliteConnection::connect(scene.database_url()).await.unwrap();
            connection.execute(sql).await.unwrap();
            connection.close().await.unwrap();
        }
        Db::Postgres => {
            let mut connection = PgConnection::connect(scene.database_url()).await.unwrap();
            connection.execute(sql).await.unwrap();
            connection.close().await.unwrap();
        }
    }
    let said = refusal_with(&scene, &[]).await;
    assert!(
        said.contains("newer version than this program") && said.contains("999"),
        "{said}"
    );
}

#[tokio::test]
async fn a_secret_key_that_is_missing_is_not_replaced() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    process.kill();
    let (file, aside) = (scene.dir().join("secret.key"), scene.dir().join("aside.key"));
    std::fs::rename(&file, &aside).unwrap();
    let mut process = scene.spawn(&[]);
    eventually("the key was compared", async || {
        scene
            .log()
            .contains("the secret key of this database is missing, and no other is made")
    })
    .await;
    process.kill();
    assert!(!file.exists());
    std::fs::rename(&aside, &file).unwrap();
    let mut process = scene.spawn(&[]);
    process.ready(scene.api.http()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_key_that_is_removed_under_the_service_is_copied_back_with_the_command_in_its_log() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    let file = scene.dir().join("secret.key");
    let key = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    eventually("it is logged", async || {
        scene
            .log()
            .contains("was removed or replaced under the running service")
    })
    .await;
    let mut status = scene.starting(&[], Playoutd::command);
    status.args(["admin", "engine", "status"]).stderr(Stdio::piped());
    let said = String::from_utf8(status.output().unwrap().stderr).unwrap();
    assert!(said.contains("its log has the command"), "{said}");
    let log = scene.log();
    assert!(!log.contains("move away"), "nothing is there: {log}");
    let (_, command) = log.split_once("`install ").unwrap();
    let command = format!("install {}", command.split('`').next().unwrap());
    assert!(
        Command::new("sh")
            .args(["-c", &command])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(std::fs::read(&file).unwrap(), key);
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    process.kill();
    let _process = scene.serve().await;
}

#[tokio::test]
async fn a_key_that_is_not_configured_beside_postgres_is_asked_for_and_not_made() {
    let scene = Scene::set(Db::Postgres, &[]).await;
    let said = refusal_with(&scene, &[("PLAYOUT_SECRET_KEY", "")]).await;
    assert!(
        said.contains("the key of this database, as a new one cannot open it"),
        "{said}"
    );
}

/// Runs the commands that the log gives for files that were removed.
async fn rescued(removed: &[&str], signal: &str) {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    let clip = scene.api.upload_clip().await;
    for end in removed {
        std::fs::remove_file(scene.dir().join(format!("playout.db{end}"))).unwrap();
    }
    eventually("it says what to do", async || {
        scene.log().contains("before you stop it, type")
    })
    .await;
    let log = scene.log();
    let commands: Vec<&str> = log
        .split('`')
        .filter(|text| text.starts_with("cp /proc/"))
        .collect();
    let commands = &commands[..if removed.contains(&"-wal") { 2 } else { 1 }];
    for command in commands {
        let typed = Command::new("sh").args(["-c", command]).status().unwrap();
        assert!(typed.success(), "{command}");
    }
    process.signal(signal);
    process.ended().await;
    let moved = log.split('`').find(|text| text.starts_with("playoutd admin"));
    let mut command = scene.starting(&[], Playoutd::command);
    let output = command.args(moved.unwrap().split(' ').skip(1)).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut process = scene.serve().await;
    let last = scene.log();
    assert!(!last.contains("nothing is published before"), "{last}");
    let kept = scene.api.get(&format!("/public/v1/media/{clip}")).await;
    assert_eq!(kept.status, 200, "{}", scene.log());
    process.kill();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_removed_under_a_service_is_copied_back_from_the_process() {
    for removed in [&[""][..], &["", "-wal", "-shm"]] {
        rescued(removed, "KILL").await;
        rescued(removed, "TERM").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_that_makes_an_empty_database_says_so_once() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let unmounted = scene.dir().join("unmounted");
    let file = unmounted.join("playout.db");
    let url = format!("sqlite://{}", file.display());
    let settings = [
        ("PLAYOUT_DATA_DIR", unmounted.to_str().unwrap()),
        ("PLAYOUT_DATABASE_URL", url.as_str()),
    ];
    let warning = format!(
        "no database at {}: an empty one was made, and a new secret key",
        file.display()
    );
    for _ in 0..2 {
        let mut process = scene.spawn(&settings);
        process.ready(scene.api.http()).await;
        process.kill();
    }
    let log = std::fs::read_to_string(scene.dir().join("playoutd.log")).unwrap();
    assert_eq!(log.matches(&warning).count(), 1, "{log}");
    assert!(
        log.contains("WARN") && log.contains("is PLAYOUT_DATA_DIR right?"),
        "{log}"
    );
}

#[tokio::test]
async fn a_port_in_use_is_named() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let _other = std::net::TcpListener::bind(scene.address).unwrap();
    let said = refusal_with(&scene, &[]).await;
    assert!(
        said.contains(&format!("cannot listen on {}", scene.address)),
        "{said}"
    );
    assert!(said.contains("in use"), "{said}");
}

#[tokio::test]
async fn a_database_server_that_does_not_answer_is_named_without_its_password() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let nobody = format!("postgres://playout:hunter2@{}/playout", Playoutd::free_address());
    let said = refusal_with(&scene, &[("PLAYOUT_DATABASE_URL", &nobody)]).await;
    assert!(said.contains("refused"), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_command_makes_a_new_database_beside_the_log_of_one_that_is_missing() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    let clip = scene.api.upload_clip().await;
    let (file, aside) = (scene.dir().join("playout.db"), scene.dir().join("aside.db"));
    std::fs::rename(&file, &aside).unwrap();
    let backup = scene.dir().join("backup");
    let commands: [&[&str]; 6] = [
        &["serve", "--listen", "127.0.0.1:0"],
        &["check"],
        &["migrate"],
        &["backup", backup.to_str().unwrap()],
        &["admin", "engine", "status"],
        &["admin", "workspace", "create", "--name", "Kites"],
    ];
    for args in commands {
        let mut command = scene.starting(&[], Playoutd::command);
        let output = command
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output();
        let output = output.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success()
                && said.contains("playout.db-wal")
                && said.contains("put the file back")
                && said.contains("do not stop it"),
            "{args:?}: {said}"
        );
        assert!(!file.exists(), "{args:?} made a file");
    }
    std::fs::rename(&aside, &file).unwrap();
    process.kill();
    let _process = scene.serve().await;
    let kept = scene.api.get(&format!("/public/v1/media/{clip}")).await;
    assert_eq!(kept.status, 200, "{}", scene.log());
}

/// The beginning of the file can be read, so the service may run for long before it meets the damage.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_database_is_found_by_check() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    process.signal("TERM");
    process.ended().await;
    let check = || {
        let mut command = scene.starting(&[], Playoutd::command);
        let output = command.arg("check").stderr(Stdio::piped()).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let (is_right, said) = check();
    assert!(is_right, "{said}");
    let file = scene.dir().join("playout.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0xa5);
    std::fs::write(&file, bytes).unwrap();
    let (is_right, said) = check();
    assert!(!is_right, "{said}");
    assert!(
        said.contains("the database file is damaged")
            && said.contains("move the file away with its -wal and -shm")
            && said.contains("`playoutd restore DIRECTORY`"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_without_the_storage_and_a_restore_without_the_key_say_what_to_do() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let mut process = scene.serve().await;
    process.signal("TERM");
    process.ended().await;
    let elsewhere = tempfile::tempdir().unwrap();
    let backup = elsewhere.path().join("backup");
    let run = |action: &str| {
        let mut command = scene.starting(&[], Playoutd::command);
        command.arg(action).arg(&backup).stderr(Stdio::piped());
        let output = command.output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let (media, away) = (scene.dir().join("media"), scene.dir().join("away"));
    std::fs::rename(&media, &away).unwrap();
    let (is_made, said) = run("backup");
    assert!(
        !is_made && said.contains("is missing, and no backup was made: mount it") && !backup.exists(),
        "{said}"
    );
    std::fs::rename(&away, &media).unwrap();
    let (is_made, said) = run("backup");
    assert!(is_made, "{said}");
    std::fs::remove_file(backup.join("secret.key")).unwrap();
    for end in ["", "-wal", "-shm"] {
        let _missing = std::fs::remove_file(scene.dir().join(format!("playout.db{end}")));
    }
    let (is_restored, said) = run("restore");
    assert!(
        !is_restored && said.contains("put the file back from another copy of the backup"),
        "{said}"
    );
}
