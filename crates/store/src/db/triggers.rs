//! The triggers that both databases have, in the words of each.
//!
//! `posts.listed_media` is a copy of the rows in `post_media` (`posts/read.rs`). The program that writes them writes it as well, after them.
//! A trigger clears it when a row goes: replaced by a program of before this column, or with the media object, of which the program that
//! deletes it clears the copies first (`media/changes.rs`). Each change of a post's media removes the rows that it has, so that no copy is ever
//! of others.

use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection, Executor};

/// Whether the column is there and the trigger is not.
const MISSING_ON_SQLITE: &str = "SELECT 1 FROM pragma_table_info('posts') WHERE name = 'listed_media'
    AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = 'post_media_removed')";
const ON_SQLITE: &str = "CREATE TRIGGER IF NOT EXISTS post_media_removed AFTER DELETE ON post_media
    BEGIN UPDATE posts SET listed_media = NULL WHERE id = old.post_id AND listed_media IS NOT NULL; END";

const MISSING_ON_POSTGRES: &str = "SELECT 1 FROM pg_attribute
    WHERE attrelid = to_regclass('posts') AND attname = 'listed_media' AND NOT attisdropped
    AND NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass('post_media') AND tgname = 'post_media_removed')";
const ON_POSTGRES: &str = "
CREATE OR REPLACE FUNCTION clear_listed_media() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE posts SET listed_media = NULL WHERE id = old.post_id AND listed_media IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER post_media_removed AFTER DELETE ON post_media FOR EACH ROW EXECUTE FUNCTION clear_listed_media();
";

/// Makes SQLite's where they are missing.
pub(super) async fn create_on_sqlite(connection: &mut SqliteConnection) -> sqlx::Result<()> {
    if connection.fetch_optional(MISSING_ON_SQLITE).await?.is_some() {
        connection.execute(ON_SQLITE).await?;
    }
    Ok(())
}

/// Makes PostgreSQL's where they are missing, under the lock of migrations.
pub(super) async fn create_on_postgres(connection: &mut PgConnection) -> sqlx::Result<()> {
    if connection.fetch_optional(MISSING_ON_POSTGRES).await?.is_some() {
        let mut tx = connection.begin().await?;
        tx.execute(sqlx::raw_sql(ON_POSTGRES)).await?;
        tx.commit().await?;
    }
    Ok(())
}
