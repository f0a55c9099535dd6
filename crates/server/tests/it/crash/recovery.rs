//! `docs/backup.md`, as it is written: a PostgreSQL that recovers to a point in time, and nothing goes out twice.

use serde_json::json;

use super::backups::blocks_under;
use super::copies::{Copy, ELSEWHERE};
use super::scene::{Scene, post_body};
use crate::harness::{Cluster, Database, eventually};

const HEADING: &str = "Recovery to a point in time";
/// The time that the page gives.
const TIME: &str = "2026-11-25 09:30:00+00";

/// A recovery to a time that the archive does not have leaves the server as it was in `$PGDATA.before`. Typed again, it changes nothing.
fn fails_and_is_undone(
    cluster: &Cluster,
    typed: &impl Fn(&str, &str) -> String,
    (recovery, undo): (&str, &str),
) {
    const ROWS: &str = "psql --tuples-only --command 'SELECT COUNT(*) FROM posts'";
    let rows = cluster.run(ROWS);
    typed(recovery, "2999-01-01 00:00:00+00");
    let is_over = "for i in $(seq 600); do pg_ctl status >/dev/null || break; sleep 0.1; done
        ! pg_ctl status >/dev/null; grep --count 'recovery ended before' \"$0/recovery.log\"";
    assert_eq!(cluster.run(is_over).trim(), "1");
    let list = "ls \"$PGDATA\" \"$PGDATA.before\"; cat \"$PGDATA/postgresql.auto.conf\"";
    let files = cluster.run(list);
    let said = typed(recovery, "2999-01-01 00:00:00+00");
    assert!(said.ends_with("exit status 1\n"), "{said}");
    assert_eq!(cluster.run(list), files, "the second attempt changed nothing");
    cluster.run(&undo.replace("/var/backups", cluster.folder().to_str().unwrap()));
    assert_eq!(cluster.run("ls \"$0\" | grep --count before || true").trim(), "0");
    cluster.run("pg_ctl start --log=\"$0/log\" >/dev/null");
    assert_eq!(cluster.run(ROWS), rows, "the server is as it was");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_was_recovered_to_a_point_in_time_publishes_nothing_twice() {
    let [settings, base_backup, recovery, undo] = blocks_under(HEADING).try_into().unwrap();
    let cluster = Cluster::start(|folder| settings.replace("/var/backups", folder.to_str().unwrap()));
    let folder = cluster.folder().to_str().unwrap().to_owned();
    let typed = |block: &str, time: &str| {
        assert_eq!(block.contains(TIME), !time.is_empty(), "{block}");
        let block = block.replace("/var/backups", &folder).replace(TIME, time);
        // As in a terminal, where a step that fails does not end what follows it.
        cluster.run(&format!("set +e\n{block}"))
    };
    let scene = Scene::on(Database::at(cluster.url()), &[]).await;
    let mut process = scene.serve().await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    typed(&base_backup, "");

    let mut kept = post_body(&platform, "sent after the point", std::slice::from_ref(&clip));
    kept["mode"] = "draft".into();
    let kept = scene.api.create_post(&kept).await;
    let pulses = Copy::of_pulses(scene.dir());
    let point = cluster.run("psql --tuples-only --command 'SELECT now()'");
    let publish = format!("/public/v1/posts/{kept}/publish");
    scene.api.post(&publish, &json!({})).await.ok();
    assert_eq!(scene.settled(&kept).await["state"], "PUBLISHED");
    let forgotten = post_body(&platform, "made after the point", std::slice::from_ref(&clip));
    let forgotten = scene.api.create_post(&forgotten).await;
    assert_eq!(scene.settled(&forgotten).await["state"], "PUBLISHED");
    process.kill();
    fails_and_is_undone(&cluster, &typed, (&recovery, &undo));
    assert!(typed(&recovery, point.trim()).ends_with("exit status 0\n"));
    eventually("the recovery is done", async || {
        const IS_RECOVERING: &str = "psql --tuples-only --no-align --command='SELECT pg_is_in_recovery()'";
        cluster.run(IS_RECOVERING).trim() == "f"
    })
    .await;
    // Those of before the point: the timeline alone is to show what happened.
    pulses.put_pulses_back();

    let _process = scene.serve().await;
    let nobody = scene.api.with_key(None);
    eventually("the hold is over", async || {
        nobody.get("/readyz").await.json()["hold"] == false
    })
    .await;
    assert!(scene.log().contains(ELSEWHERE), "{}", scene.log());
    assert_eq!(
        scene.settled(&kept).await["state"],
        "PUBLISHED",
        "{}",
        scene.log()
    );
    scene
        .api
        .get(&format!("/public/v1/posts/{forgotten}"))
        .await
        .refused(404, "post_not_found");
    let afterwards = scene
        .api
        .create_post(&post_body(&platform, "afterwards", &[clip]))
        .await;
    assert_eq!(scene.settled(&afterwards).await["state"], "PUBLISHED");
    assert_eq!(scene.sim.publication_count(), 3);
    let undone = cluster.run(&format!("set +e\n{undo}\necho \"exit status $?\""));
    assert!(
        undone.ends_with("exit status 1\n"),
        "a recovery that was completed is kept"
    );
    cluster.run("pg_ctl status >/dev/null");
}
