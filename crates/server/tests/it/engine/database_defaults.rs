//! What the operator of a PostgreSQL server sets as a default for all its sessions.

use crate::harness::{Db, Options, TestApp, execute_in, texts_in};

/// Every session begins its transactions at REPEATABLE READ. The level of those of the service that define something is recorded.
const REPEATABLE_READ: &str = "
    CREATE SCHEMA witness;
    CREATE TABLE witness.seen (subject TEXT, level TEXT);
    CREATE FUNCTION witness.record(subject TEXT) RETURNS VOID LANGUAGE SQL AS $$
        INSERT INTO witness.seen SELECT subject, current_setting('transaction_isolation')
            WHERE current_setting('application_name') = 'playout'
    $$;
    CREATE FUNCTION witness.definition() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM witness.record('definitions'); END
    $$;
    CREATE FUNCTION witness.change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM witness.record(tg_table_name::text); RETURN NEW; END
    $$;
    CREATE EVENT TRIGGER definition ON ddl_command_end EXECUTE FUNCTION witness.definition();
    DO $$ BEGIN
        EXECUTE format(
            'ALTER DATABASE %I SET default_transaction_isolation = %L', current_database(), 'repeatable read');
    END $$;
";

/// The level of transactions that change one of these tables is recorded too.
const TABLES: [&str; 4] = ["platforms", "posts", "jobs", "submissions"];

#[tokio::test]
async fn transactions_run_at_read_committed_whatever_the_default_of_the_database_is() {
    let options = Options {
        dump: Some(REPEATABLE_READ.to_owned()),
        ..Options::default()
    };
    let t = TestApp::start_with(Db::Postgres, options).await;
    let url = t.app.config.database_url.expose();
    for table in TABLES {
        let sql = format!(
            "CREATE TRIGGER change BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION witness.change()"
        );
        execute_in(url, Db::Postgres, sql).await;
    }
    let default = texts_in(url, Db::Postgres, "SHOW default_transaction_isolation").await;
    assert_eq!(default, ["repeatable read"], "of other sessions");
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    for subject in TABLES.into_iter().chain(["definitions"]) {
        let sql = format!("SELECT DISTINCT level FROM witness.seen WHERE subject = '{subject}'");
        let levels = texts_in(url, Db::Postgres, sql).await;
        assert_eq!(levels, ["read committed"], "{subject}");
    }
}
