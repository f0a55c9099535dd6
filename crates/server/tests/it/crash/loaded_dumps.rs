//! A dump that is loaded by hand into the PostgreSQL database that it was made of: cluster, timeline and OID of the database stay the
//! same, and the pulses are put back too, so that nothing but the database itself shows that it went back.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use super::copies::Copy;
use super::scene::{Scene, post_body};
use crate::harness::{Db, Playoutd, eventually};

const OTHER_TABLES: &str =
    "the tables of the database are not those that were last written to, as after a dump was loaded";
const RESTORED: &str = "the database was restored from a backup";

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
}

fn type_sql(scene: &Scene, sql: &str) {
    let mut psql = Command::new("psql");
    psql.args([
        "--no-psqlrc",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        "--command",
        sql,
    ]);
    run(psql.arg(scene.database_url()));
}

/// Loads a dump, with these options.
fn load(scene: &Scene, dump: &Path, options: &[&str]) {
    let mut loading = Command::new("pg_restore");
    loading.args(["--no-owner", "--exit-on-error"]).args(options);
    run(loading.args(["--dbname", scene.database_url()]).arg(dump));
}

/// Replaces the tables, as the manual of `pg_restore` shows.
fn clean(scene: &Scene, dump: &Path) {
    load(scene, dump, &["--clean", "--if-exists"]);
}

/// Replaces the schema, as where the database cannot be dropped.
fn into_a_new_schema(scene: &Scene, dump: &Path) {
    type_sql(scene, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    load(scene, dump, &[]);
}

/// Replaces the rows, and keeps the tables.
fn into_the_same_tables(scene: &Scene, dump: &Path) {
    let truncate = "DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg(quote_ident(tablename), ', ')
        FROM pg_tables WHERE schemaname = 'public'); END $$";
    type_sql(scene, truncate);
    load(scene, dump, &["--data-only", "--disable-triggers"]);
}

/// What `pg_dump` writes.
fn pg_dump(scene: &Scene, to: &Path) {
    let mut dumping = Command::new("pg_dump");
    dumping.args(["--format=custom", "--file"]).arg(to);
    run(dumping.args(["--dbname", scene.database_url()]));
}

/// The dump in what `playoutd backup` writes.
fn back_up(scene: &Scene, to: &Path) {
    let directory = to.with_extension("backup");
    let mut command = scene.starting(&[], Playoutd::command);
    run(command.arg("backup").arg(&directory).stderr(Stdio::piped()));
    std::fs::rename(directory.join("database.dump"), to).unwrap();
}

/// A post that went out after the dump was made is found at the provider.
async fn is_noticed(dump_to: fn(&Scene, &Path), load_from: fn(&Scene, &Path), because: &str) {
    let scene = Scene::set(Db::Postgres, &[]).await;
    let mut process = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    let mut body = post_body(&platform, "sent after the dump", &[clip]);
    body["mode"] = "draft".into();
    let post = scene.api.create_post(&body).await;
    // Before the dump, so that they are not ahead of it.
    let pulses = Copy::of_pulses(scene.dir());
    let elsewhere = tempfile::tempdir().unwrap();
    let dump = elsewhere.path().join("database.dump");
    dump_to(&scene, &dump);
    let publish = format!("/public/v1/posts/{post}/publish");
    scene.api.post(&publish, &json!({})).await.ok();
    assert_eq!(scene.settled(&post).await["state"], "PUBLISHED");
    process.kill();
    load_from(&scene, &dump);
    pulses.put_pulses_back();

    let status = scene.admin(&["engine", "status"]).await;
    assert_eq!(
        (&status["held"], &status["nextStartHolds"]),
        (&json!(false), &json!(because)),
        "{status:#}"
    );
    let mut process = scene.serve().await;
    let nobody = scene.api.with_key(None);
    eventually("the hold is over", async || {
        nobody.get("/readyz").await.json()["hold"] == false
    })
    .await;
    let root = scene.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    assert!(scene.log().contains(because), "{}", scene.log());
    assert_eq!(scene.sim.publication_count(), 1);
    process.kill();
    let status = scene.admin(&["engine", "status"]).await;
    assert_eq!(status["nextStartHolds"], json!(null), "one hold is enough");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dump_that_replaces_the_tables_of_its_database_is_noticed() {
    is_noticed(pg_dump, clean, OTHER_TABLES).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dump_that_is_loaded_into_a_new_schema_of_its_database_is_noticed() {
    is_noticed(pg_dump, into_a_new_schema, OTHER_TABLES).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_dump_of_a_backup_that_replaces_the_tables_of_its_database_is_noticed() {
    is_noticed(back_up, clean, RESTORED).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_dump_of_a_backup_whose_rows_replace_those_of_its_database_is_noticed() {
    is_noticed(back_up, into_the_same_tables, RESTORED).await;
}
