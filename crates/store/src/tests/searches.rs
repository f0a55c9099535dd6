//! Searches return what comparing every post returns, with and without the index of texts, and end with their callers.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Waker};
use std::time::Duration;

use playout_domain::id::PostId;
use sqlx::AssertSqlSafe;
use tokio::time::timeout;

use super::harness::{on_both, on_sqlite, vault};
use super::world::{HOUR, MINUTE, NOON, World, new_group};
use crate::db::{Candidates, MOST_BYTES, Result, Row, SEARCHES, params, stored_fold};
use crate::posts::read::{Among, post_list, post_list_among};
use crate::{Page, PostFilter, SeedPosts, Store};

on_both!(
    a_search_finds_what_comparing_every_post_finds,
    a_search_ignores_case_and_normal_form,
    texts_that_were_written_without_being_folded_are_folded_beside_the_service,
    a_search_without_hits_reads_the_index_alone,
    a_search_ends_when_its_caller_goes_away,
    texts_that_several_processes_index_at_once_are_indexed,
);

/// What texts and queries are made of: letters of several scripts and both cases, marks, emoji, and what the query languages of the
/// indexes know.
const PARTS: [&str; 28] = [
    "a",
    "B",
    "c",
    "ab",
    "Ka",
    "\u{e9}",
    "\u{c9}",
    "e\u{301}",
    "\u{df}",
    "\u{130}",
    "\u{131}",
    "\u{3c3}",
    "\u{3a3}",
    "\u{3c2}",
    "\u{65e5}",
    "\u{672c}",
    "\u{8a9e}",
    "\u{1f600}",
    "\u{1f469}\u{200d}\u{1f467}",
    " ",
    "\"",
    "*",
    "%",
    "_",
    "\\",
    "'",
    "1",
    "\n",
];

/// A sequence of numbers that is the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn text(&mut self, parts: usize) -> String {
        (0..parts).map(|_| PARTS[self.below(PARTS.len())]).collect()
    }

    /// A part of one of the texts, in which letters may be of the other case, or a text of its own: 1 to 6 characters.
    fn query(&mut self, texts: &[String]) -> String {
        let length = 1 + self.below(6);
        let text: Vec<char> = texts[self.below(texts.len())].chars().collect();
        if self.below(4) == 0 || text.is_empty() {
            return self.text(length).chars().take(6).collect();
        }
        let start = self.below(text.len());
        let part: String = text[start..].iter().take(length).collect();
        match self.below(3) {
            0 => part.to_uppercase().chars().take(6).collect(),
            1 => part.to_lowercase().chars().take(6).collect(),
            _ => part,
        }
    }
}

async fn a_search_finds_what_comparing_every_post_finds(store: Store) {
    let world = World::new(store.clone()).await;
    let other = world.neighbour().await;
    let mut numbers = Numbers(19);
    let mut texts: Vec<String> = (0..80).map(|number| numbers.text(number % 24)).collect();
    for world in [&world, &other] {
        fill(world, &texts).await;
    }
    agree(&world, &texts, &mut numbers).await;
    store.build_indexes().await.unwrap();
    agree(&world, &texts, &mut numbers).await;
    store.index_all_texts().await.unwrap();
    agree(&world, &texts, &mut numbers).await;
    for round in 0..4 {
        let posts = ids(&store, &world, &PostFilter::default()).await;
        for post in posts.iter().skip(round).step_by(5) {
            let text = numbers.text(12);
            let sql = "UPDATE posts SET content = $2, folded = $3 WHERE id = $1";
            let params = params![*post, &text, stored_fold(&text)];
            store.execute(sql, params).await.unwrap();
            texts.push(text);
        }
        for post in posts.iter().skip(round + 1).step_by(17) {
            let sql = "DELETE FROM posts WHERE id = $1";
            store.execute(sql, params![*post]).await.unwrap();
        }
        let more: Vec<String> = (0..7).map(|_| numbers.text(9)).collect();
        fill(&world, &more).await;
        texts.extend(more);
        agree(&world, &texts, &mut numbers).await;
        store.index_all_texts().await.unwrap();
        agree(&world, &texts, &mut numbers).await;
    }
}

/// A text, and what is looked for in it: by another case, another normal form, and both.
const SAME: [(&str, [&str; 3]); 5] = [
    (
        "Am Caf\u{e9} vorbei",
        ["CAF\u{c9}", "cafe\u{301}", "CAFE\u{301} VOR"],
    ),
    (
        "Nin\u{303}o y \u{e1}rbol",
        ["NI\u{d1}O", "ni\u{f1}o", "\u{c1}RBOL"],
    ),
    ("Hauptstra\u{df}e", ["STRASSE", "stra\u{df}e", "hauptSTRASSE"]),
    (
        "\u{39f}\u{3b4}\u{3cc}\u{3c2}",
        [
            "\u{39f}\u{394}\u{38c}\u{3a3}",
            "\u{3b4}\u{3bf}\u{301}\u{3c2}",
            "\u{3cc}\u{3c3}",
        ],
    ),
    (
        "\u{ff2b}\u{ff29}\u{ff34}\u{ff25} \u{fb01}rst",
        ["kite", "FIRST", "e fi"],
    ),
];

async fn a_search_ignores_case_and_normal_form(store: Store) {
    let world = World::new(store.clone()).await;
    fill(&world, &SAME.map(|(text, _)| text.to_owned())).await;
    finds_each(&world).await;
    if store.is_postgres() {
        // As the release before has made it.
        let sql = "CREATE INDEX posts_text ON posts (LOWER(content)) WHERE parent_id IS NULL";
        store.execute(sql, Vec::new()).await.unwrap();
    }
    store.build_indexes().await.unwrap();
    store.index_all_texts().await.unwrap();
    finds_each(&world).await;
    if store.is_postgres() {
        let sql = "SELECT 1 WHERE to_regclass('posts_text') IS NOT NULL";
        assert!(store.row(sql, Vec::new()).await.unwrap().is_none());
    }
}

async fn texts_that_were_written_without_being_folded_are_folded_beside_the_service(store: Store) {
    let world = World::new(store.clone()).await;
    let mut texts: Vec<String> = (0..120).map(|number| format!("ZW\u{d6}LF {number}")).collect();
    texts.extend(SAME.map(|(text, _)| text.to_owned()));
    fill(&world, &texts).await;
    store.build_indexes().await.unwrap();
    store
        .execute("UPDATE posts SET folded = NULL", Vec::new())
        .await
        .unwrap();
    assert_eq!(matches(&world, "zw\u{f6}lf 1").await, 0);
    store.index_all_texts().await.unwrap();
    assert_eq!(matches(&world, "zw\u{f6}lf 1").await, 31);
    finds_each(&world).await;
}

async fn finds_each(world: &World) {
    for (text, queries) in SAME {
        for q in queries {
            assert_eq!(matches(world, q).await, 1, "{q} in {text}");
        }
    }
}

/// How many posts a search finds, whether it reads the list alone or asks for candidates.
async fn matches(world: &World, q: &str) -> usize {
    let filter = PostFilter {
        q: Some(q.to_owned()),
        ..PostFilter::default()
    };
    let page = Page {
        limit: 1000,
        after: None,
    };
    let mut found = Vec::new();
    for beginning in [1, 2_000] {
        let posts = world
            .store
            .search_posts_after(beginning, world.workspace, &filter, page, q)
            .await;
        found.push(posts.unwrap().0.len());
    }
    assert_eq!(found[0], found[1], "{q}");
    found[0]
}

async fn texts_that_several_processes_index_at_once_are_indexed(store: Store) {
    let world = World::new(store.clone()).await;
    for round in 0..5 {
        fill(&world, &[format!("kites over the harbour {round}")]).await;
        let all = tokio::join!(
            store.index_all_texts(),
            store.index_all_texts(),
            store.index_all_texts(),
            store.index_all_texts()
        );
        assert!(matches!(all, (Ok(()), Ok(()), Ok(()), Ok(()))), "{all:?}");
    }
}

pub(super) async fn fill(world: &World, texts: &[String]) {
    for (number, text) in (0..).zip(texts) {
        let mut group = new_group(
            world.platform,
            number % 3 == 0,
            Some(NOON.plus(HOUR + MINUTE * (number / 2))),
        );
        group.root.content.clone_from(text);
        world.group(group).await;
    }
}

/// Compares searches that read three posts before they look for candidates with the list.
async fn agree(world: &World, texts: &[String], numbers: &mut Numbers) {
    let store = &world.store;
    for _ in 0..60 {
        let q = numbers.query(texts);
        let filter = PostFilter {
            latest_first: numbers.below(2) == 0,
            start: (numbers.below(3) == 0).then(|| NOON.plus(HOUR + MINUTE * 9)),
            q: Some(q.clone()),
            ..PostFilter::default()
        };
        let expected = ids(store, world, &filter).await;
        for limit in [3, 1000] {
            let page = Page { limit, after: None };
            let found = store
                .search_posts_after(3, world.workspace, &filter, page, &q)
                .await;
            let found: Vec<PostId> = found.unwrap().0.iter().map(|post| post.id).collect();
            assert!(expected.starts_with(&found), "{q:?}: {found:?}, {expected:?}");
            assert_eq!(found.len(), expected.len().min(limit as usize), "{q:?}");
        }
    }
}

/// What the list returns when it compares every post.
async fn ids(store: &Store, world: &World, filter: &PostFilter) -> Vec<PostId> {
    let page = Page {
        limit: 1000,
        after: None,
    };
    let (sql, params) = post_list(world.workspace, filter, page, store.dialect());
    let listed = store.read_within(sql, params, MOST_BYTES, |row| row.of("posts").id("id"));
    listed.await.unwrap().0
}

async fn a_search_without_hits_reads_the_index_alone(store: Store) {
    let world = World::new(store.clone()).await;
    seed(&world, 5_000).await;
    store.build_indexes().await.unwrap();
    store.index_all_texts().await.unwrap();
    if store.is_postgres() {
        store.execute("ANALYZE posts", Vec::new()).await.unwrap();
    }
    for unindexed in ["ki", "\u{1f600}"] {
        assert_eq!(candidates(&store, unindexed).await, None, "{unindexed}");
    }
    let mut search = store.begin_search().await.unwrap();
    let candidates = search.candidates("zeppelin").await.unwrap().unwrap();
    let page = Page {
        limit: 21,
        after: None,
    };
    let filter = PostFilter {
        q: Some("zeppelin".to_owned()),
        ..PostFilter::default()
    };
    let among = Among::Candidates(&candidates);
    let (sql, params) = post_list_among(&among, world.workspace, &filter, page, store.dialect());
    let (explain, expected, other) = match store.is_postgres() {
        false => (
            "EXPLAIN QUERY PLAN",
            "SCAN posts_text VIRTUAL TABLE INDEX",
            "SCAN post\n",
        ),
        true => ("EXPLAIN", "Bitmap Index Scan on posts_folded_text", "Seq Scan"),
    };
    let line: fn(&Row) -> Result<String> = match store.is_postgres() {
        false => |row| row.of("plan").get("detail"),
        true => |row| row.of("plan").get("QUERY PLAN"),
    };
    let lines = search.read_within(format!("{explain} {sql}"), params, MOST_BYTES, line);
    let plan = lines.await.unwrap().0.join("\n") + "\n";
    assert!(
        plan.contains(expected) && !plan.contains(other) && !plan.contains("posts_list"),
        "{plan}"
    );
}

async fn a_search_ends_when_its_caller_goes_away(store: Store) {
    let endless = match store.is_postgres() {
        false => {
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
             SELECT 1 UNION ALL SELECT COUNT(*) FROM numbers"
        }
        true => "SELECT pg_sleep(100000)",
    };
    for round in 0..2 * SEARCHES {
        let mut search = store.begin_search().await.unwrap();
        if store.is_postgres() {
            // Its own limit would end it, too.
            let unlimited = "SET LOCAL statement_timeout = 0".to_owned();
            search.read_one(unlimited, Vec::new(), |_| Ok(())).await.unwrap();
        }
        let begun = BEGUN.load(Ordering::Relaxed);
        let mut searching = Box::pin(search.read_one(endless.to_owned(), Vec::new(), has_begun));
        assert!(waits(&mut searching));
        // On SQLite some end before they begin.
        while store.is_postgres() && !sleeps(&store).await
            || !store.is_postgres() && round % 2 == 0 && BEGUN.load(Ordering::Relaxed) == begun
        {
            assert!(waits(&mut searching));
        }
        drop(searching);
    }
    // Each waits for a place.
    let places = async {
        for _ in 0..SEARCHES {
            store.0.searches.acquire().await.unwrap().forget();
        }
        while store.is_postgres() && sleeps(&store).await {}
    };
    timeout(Duration::from_secs(60), places).await.unwrap();
}

/// How many rows of endless statements SQLite has returned.
static BEGUN: AtomicUsize = AtomicUsize::new(0);

fn has_begun(_: &Row) -> Result<()> {
    BEGUN.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Whether a future, which this polls, is not done yet.
fn waits<F: Future + Unpin>(future: &mut F) -> bool {
    let mut context = Context::from_waker(Waker::noop());
    Pin::new(future).poll(&mut context).is_pending()
}

async fn sleeps(store: &Store) -> bool {
    let sql = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
        AND query LIKE 'SELECT pg_sleep%'";
    store.row(sql, Vec::new()).await.unwrap().is_some()
}

/// Its schema is that of the release before: the same tables without the index.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_before_is_indexed_beside_the_service() {
    on_sqlite(|store: Store| async move {
        let world = World::new(store.clone()).await;
        for part in [
            "TRIGGER posts_text_inserted",
            "TRIGGER posts_text_folded",
            "TRIGGER posts_text_deleted",
            "TABLE unindexed_posts",
            "TABLE indexed_posts",
            "TABLE posts_text",
        ] {
            store
                .execute(AssertSqlSafe(format!("DROP {part}")), Vec::new())
                .await
                .unwrap();
        }
        seed(&world, 2_100).await;
        let url = format!("sqlite://{}", path(&store).await);
        let newer = Store::connect(&url, vault()).await.unwrap();
        for _ in 0..2 {
            newer.migrate().await.unwrap();
        }
        let q = |text: &str| PostFilter {
            q: Some(text.to_owned()),
            latest_first: true,
            ..PostFilter::default()
        };
        let found = async |text: &str| {
            let page = Page {
                limit: 21,
                after: None,
            };
            newer
                .list_root_posts(world.workspace, &q(text), page)
                .await
                .unwrap()
                .posts
                .len()
        };
        assert_eq!(
            candidates(&newer, "Post 7").await,
            None,
            "more are not indexed than a search compares"
        );
        assert_eq!(
            (
                found("Post 7").await,
                found("Post 77").await,
                found("zeppelin").await
            ),
            (21, 11, 0)
        );
        // The program of before still runs.
        store
            .execute(
                "UPDATE posts SET content = 'Zeppelin' WHERE content = 'Post 77'",
                Vec::new(),
            )
            .await
            .unwrap();
        assert_eq!((found("Post 77").await, found("zeppelin").await), (10, 1));
        newer.index_all_texts().await.unwrap();
        assert!(candidates(&newer, "Post 77").await.is_some());
        assert_eq!((found("Post 77").await, found("zeppelin").await), (10, 1));
        newer.close().await;
    })
    .await;
}

/// Makes posts with the texts `Post 0`, `Post 1` and so on.
pub(super) async fn seed(world: &World, count: u64) {
    let seed = SeedPosts {
        count,
        platforms: vec![world.platform],
        media_ids: Vec::new(),
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

async fn candidates(store: &Store, q: &str) -> Option<Candidates> {
    let mut search = store.begin_search().await.unwrap();
    search.candidates(q).await.unwrap()
}

async fn path(store: &Store) -> String {
    let row = store
        .row("SELECT file FROM pragma_database_list", Vec::new())
        .await
        .unwrap()
        .unwrap();
    row.of("pragma").get("file").unwrap()
}
