//! Plans of the queries that lists run, on tables of every size, before and after the database has collected statistics, and on PostgreSQL
//! with the plan for all parameters as with that for the given ones. Nothing is forbidden to the planner here, as in `plans.rs`.

use std::fmt::Write as _;

use playout_domain::id::MediaId;
use playout_domain::post::PostState;
use sqlx::{AssertSqlSafe, Connection, Executor};

use super::harness::{on_both, on_postgres};
use super::world::{DAY, MINUTE, NOON, World};
use crate::accounts::platforms::{LIST_PLATFORMS, platforms_of_workspace};
use crate::db::store::Pools;
use crate::db::{Dialect, Param, Row, params};
use crate::delivery::fence::change_sql;
use crate::delivery::fetches::{FIND_FETCH, RECORD_FETCH};
use crate::delivery::submissions::unsettled_among;
use crate::media::read::media_of_workspace;
use crate::posts::read::{MEDIA_OF_POSTS, post_list};
use crate::{Page, PostFilter, SeedPosts, Store};

on_both!(
    lists_of_an_empty_database_are_read_from_indexes,
    lists_of_few_posts_are_read_from_indexes,
    lists_of_many_posts_are_read_from_indexes,
    lists_of_a_workspace_among_much_larger_ones_are_read_from_indexes,
);

/// How many posts a large table has.
const MANY: u64 = 5000;
/// How many identifiers are looked up at once.
const LONG_PAGE: usize = 830;

/// What the plan of a list may not have: it reads its index in order, until the page is full.
const OUT_OF_ORDER: &[&str] = &["Seq Scan", "Bitmap", "Sort", "TEMP B-TREE", "SCAN "];
/// What the plan of a query by identifiers may not have. What belongs to one may be sorted.
const WHOLE_TABLES: &[&str] = &["Seq Scan", "TEMP B-TREE", "SCAN "];

/// A query, its parameters as SQL, the index that it is read from, and words that its plan may not have.
struct Query {
    sql: String,
    literals: Vec<String>,
    params: Vec<Param>,
    index: &'static str,
    forbidden: &'static [&'static str],
}

impl Query {
    fn new(sql: impl Into<String>, params: Vec<Param>, index: &'static str) -> Self {
        Self {
            sql: sql.into(),
            literals: params.iter().map(literal).collect(),
            params,
            index,
            forbidden: OUT_OF_ORDER,
        }
    }
}

impl Query {
    fn prepare(&self, name: &str) -> String {
        format!("PREPARE {name} AS {}", self.sql)
    }

    /// Shows the plan of the prepared statement.
    fn explain(&self, name: &str) -> String {
        format!("EXPLAIN EXECUTE {name} ({})", self.literals.join(", "))
    }
}

fn literal(param: &Param) -> String {
    match param {
        Param::Uuid(Some(id)) => format!("'{id}'"),
        Param::Int(Some(number)) => number.to_string(),
        Param::Text(Some(text)) => format!("'{text}'"),
        Param::Bytes(Some(bytes)) => {
            let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("'\\x{}'", hex.concat())
        }
        other => panic!("{other:?}"),
    }
}

/// What lists run on the tables that grow with the posts; on SQLite, whose plans do not depend on the size of a table without statistics,
/// also what is looked up in a workspace. SQLite names indexes of keys otherwise.
fn queries(world: &World, is_postgres: bool) -> Vec<Query> {
    let workspace = world.workspace;
    let page = Page {
        limit: 1001,
        after: None,
    };
    let days = PostFilter {
        start: Some(NOON),
        end: Some(NOON.plus(DAY)),
        ..PostFilter::default()
    };
    let of_account = PostFilter {
        platform_ids: Some(vec![world.platform]),
        ..days.clone()
    };
    let in_states = PostFilter {
        states: vec![PostState::Draft, PostState::Queue],
        latest_first: true,
        ..days.clone()
    };
    let of_one_state = PostFilter {
        states: vec![PostState::Error],
        ..PostFilter::default()
    };
    let dialect = match is_postgres {
        true => Dialect::Postgres,
        false => Dialect::Sqlite,
    };
    let named = |postgres, sqlite| if is_postgres { postgres } else { sqlite };
    let list = |filter: &PostFilter, index| {
        let (sql, params) = post_list(workspace, filter, page, dialect);
        Query::new(sql, params, index)
    };
    let mut queries = vec![
        list(&PostFilter::default(), "posts_list"),
        list(&days, "posts_list"),
        // Merged, of which PostgreSQL's plan has the order as its "Sort Key".
        Query {
            forbidden: WHOLE_TABLES,
            ..list(&in_states, "posts_state")
        },
        list(&of_one_state, "posts_state"),
        // Where all posts are of one account, either index of lists is as good.
        list(&of_account, "posts_"),
    ];
    if !is_postgres {
        let ids = params![workspace, workspace, workspace];
        queries.extend([
            Query::new(LIST_PLATFORMS, params![workspace], "sqlite_autoindex_platforms_2"),
            Query::new(media_of_workspace(2), ids.clone(), "sqlite_autoindex_media_1"),
            Query::new(platforms_of_workspace(2), ids, "sqlite_autoindex_platforms_1"),
        ]);
    }
    let ids = workspace.0.as_bytes().repeat(LONG_PAGE);
    queries.push(Query {
        sql: named(MEDIA_OF_POSTS.postgres, MEDIA_OF_POSTS.sqlite).to_owned(),
        literals: vec![array(world)],
        params: params![ids],
        index: named("post_media_pkey", "sqlite_autoindex_post_media_1"),
        forbidden: WHOLE_TABLES,
    });
    queries
}

/// As many identifiers as a long page has posts.
fn array(world: &World) -> String {
    let ids = vec![world.workspace.to_string(); LONG_PAGE];
    format!("'{{{}}}'", ids.join(","))
}

/// Fails if a query is not read from its index.
fn assert_plan(query: &Query, plan: &str, what: &str) {
    let is_computed = |line: &str| line == "SCAN p" || line == "SCAN CONSTANT ROW";
    let is_forbidden = |line: &str| query.forbidden.iter().any(|word| line.contains(word));
    let is_bad = plan.lines().any(|line| !is_computed(line) && is_forbidden(line));
    assert!(
        plan.contains(query.index) && !is_bad,
        "{what}: {}\n{plan}",
        query.sql
    );
}

/// Checks every plan, before and after the database has statistics. A table that is known to have a page, or on SQLite a row, is read as a
/// whole, as it should be; PostgreSQL makes another plan when it has collected statistics again.
async fn check(store: &Store, world: &World, is_small: bool) {
    let queries = queries(world, store.is_postgres());
    for is_analyzed in [false, true] {
        if is_analyzed {
            store.execute("ANALYZE", params![]).await.unwrap();
        }
        for query in &queries {
            for mode in modes(store) {
                let plan = plan(store, query, mode).await;
                let what = format!("{mode}, statistics: {is_analyzed}");
                let has_one_row = ["platforms", "autoindex_media"]
                    .iter()
                    .any(|table| query.index.contains(table));
                let is_page = is_small && store.is_postgres() || has_one_row;
                if !(is_page && is_analyzed) {
                    assert_plan(query, &plan, &what);
                }
            }
        }
    }
}

/// Which plans PostgreSQL makes.
fn modes(store: &Store) -> &'static [&'static str] {
    match store.0.pools {
        Pools::Sqlite(_) => &["SQLite"],
        Pools::Postgres(_) => &["force_generic_plan", "force_custom_plan"],
    }
}

async fn plan(store: &Store, query: &Query, mode: &str) -> String {
    let mut tx = store.begin().await.unwrap();
    let rows = match store.0.pools {
        Pools::Sqlite(_) => {
            let sql = format!("EXPLAIN QUERY PLAN {}", query.sql);
            tx.rows(AssertSqlSafe(sql), query.params.clone()).await.unwrap()
        }
        Pools::Postgres(_) => {
            for sql in [
                format!("SET LOCAL plan_cache_mode = {mode}"),
                query.prepare("listed"),
            ] {
                tx.execute(AssertSqlSafe(sql), params![]).await.unwrap();
            }
            let sql = query.explain("listed");
            let rows = tx.rows(AssertSqlSafe(sql), params![]).await.unwrap();
            tx.execute("DEALLOCATE listed", params![]).await.unwrap();
            rows
        }
    };
    lines(&rows, store)
}

fn lines(rows: &[Row], store: &Store) -> String {
    let column = if store.is_postgres() {
        "QUERY PLAN"
    } else {
        "detail"
    };
    rows.iter().fold(String::new(), |mut text, row| {
        let line: String = row.of("plan").get(column).unwrap();
        writeln!(text, "{line}").unwrap();
        text
    })
}

/// Adds posts with a medium each.
async fn fill(world: &World, count: u64) {
    let medium: MediaId = world.media(1).await.id;
    let seed = SeedPosts {
        count,
        platforms: vec![world.platform],
        media_ids: vec![medium],
        queued: false,
        first_at: NOON,
        step: MINUTE,
    };
    world
        .store
        .seed_posts(world.workspace, &seed, NOON)
        .await
        .unwrap();
}

async fn lists_of_an_empty_database_are_read_from_indexes(store: Store) {
    let world = World::new(store.clone()).await;
    check(&store, &world, true).await;
}

async fn lists_of_few_posts_are_read_from_indexes(store: Store) {
    let world = World::new(store.clone()).await;
    fill(&world, 20).await;
    check(&store, &world, true).await;
}

async fn lists_of_many_posts_are_read_from_indexes(store: Store) {
    let world = World::new(store.clone()).await;
    fill(&world, MANY).await;
    check(&store, &world, false).await;
}

async fn lists_of_a_workspace_among_much_larger_ones_are_read_from_indexes(store: Store) {
    let world = World::new(store.clone()).await;
    fill(&world.neighbour().await, MANY).await;
    fill(&world, 20).await;
    check(&store, &world, false).await;
}

/// Open submissions are in indexes of their own, which seem to cost nothing to read as long as the table is taken for an empty one. What is
/// planned then is kept while very many are open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_submission_is_looked_up_by_what_names_it_where_there_was_none_yet() {
    on_postgres(|store: Store| async move {
        let world = World::new(store.clone()).await;
        let (id, token) = (world.workspace, [7_u8; 32]);
        let change = change_sql("sent_bytes = $6", store.row_lock());
        let query = |sql: &str, params, index| Query {
            forbidden: &[
                "submissions_one_open",
                "submissions_unsettled",
                "Seq Scan on submissions",
            ],
            ..Query::new(sql, params, index)
        };
        let (key, tokens) = ("submissions_pkey", "submissions_token_hash_key");
        let queries = [
            query(&change, params![id, 1_i64, "a node", 1_i64, id, 1_i64], key),
            query(RECORD_FETCH, params![token, NOON], tokens),
            query(FIND_FETCH, params![token], tokens),
            query(&unsettled_among("$1"), params![id], "submissions_post"),
        ];
        for query in &queries {
            for mode in modes(&store) {
                assert_plan(query, &plan(&store, query, mode).await, mode);
            }
        }
    })
    .await;
}

/// A new installation: its connections make their plans before there are any posts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plans_made_while_tables_were_empty_hold_when_they_are_large() {
    on_postgres(|store: Store| async move {
        let world = World::new(store.clone()).await;
        let Pools::Postgres(pools) = &store.0.pools else {
            panic!("it is PostgreSQL")
        };
        let mut connection = pools.work.connect_beside().await.unwrap();
        let generic = "SET plan_cache_mode = force_generic_plan";
        connection.execute(generic).await.unwrap();
        let queries = queries(&world, true);
        for (number, query) in queries.iter().enumerate() {
            let prepare = query.prepare(&format!("listed_{number}"));
            connection.execute(AssertSqlSafe(prepare)).await.unwrap();
        }
        for count in [0, MANY] {
            fill(&world, count).await;
            for (number, query) in queries.iter().enumerate() {
                let explain = AssertSqlSafe(query.explain(&format!("listed_{number}")));
                let rows = connection.fetch_all(explain).await.unwrap();
                let rows: Vec<Row> = rows.into_iter().map(Row::from).collect();
                assert_plan(query, &lines(&rows, &store), &format!("{count} posts"));
            }
        }
        connection.close().await.unwrap();
    })
    .await;
}
