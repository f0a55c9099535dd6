//! Reading posts: lists, groups, and rows as domain values. Creating them is in `create.rs`, changing them in `group_changes.rs`, publishing them in
//! `delivery/settle.rs`.

use playout_domain::event::EventKind;
use playout_domain::id::{GroupId, MediaId, PlatformId, PostId, WorkspaceId};
use playout_domain::post::{Group, ListedPost, MAX_MEDIA, Post, PostState, Waiting};
use playout_domain::time::Time;
use serde_json::json as value;
use uuid::Uuid;

use crate::db::{
    Candidates, Dialect, Fields, Lookup, MOST_BYTES, Page, Param, Result, Row, Store, StoreError, Tx, fold,
    folded_text, numbered, params, read_all, read_one,
};
use crate::events::NewEvent;

/// The columns that [`read_post`] reads.
macro_rules! post_columns {
    () => {
        "id, group_id, parent_id, platform_id, content, state, waiting, is_overdue, publishing, scheduled_for, delay_minutes,
         release_id, release_url, settings, error_text, created_at, updated_at, created_by, updated_by"
    };
}
pub(crate) use post_columns;

/// The columns that [`read_listed`] reads.
macro_rules! listed_columns {
    () => {
        concat!(post_columns!(), ", listed_media")
    };
}

/// Which root posts to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostFilter {
    /// Effective date not before this.
    pub start: Option<Time>,
    /// Effective date before this.
    pub end: Option<Time>,
    /// In one of these states; empty for any.
    pub states: Vec<PostState>,
    /// Going to one of these accounts; all where there is none.
    pub platform_ids: Option<Vec<PlatformId>>,
    /// With this in their text, ignoring case and how letters are composed (`docs/contract.md#reading-posts`).
    pub q: Option<String>,
    /// Whether the list begins with the latest.
    pub latest_first: bool,
}

/// A group, and its version.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundGroup {
    /// The root and its comments.
    pub group: Group,
    /// Rises with every change by a person, so that what was validated is what is queued.
    pub version: i64,
}

/// Posts of a list, as many as fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The first of them, at least one if there is one.
    pub posts: Vec<ListedPost>,
    /// Whether requested posts that follow were left out because these are so large.
    pub is_cut: bool,
}

impl Store {
    /// Root posts by effective date (`scheduled_for`, else `created_at`), then identifier: earliest first, or latest.
    ///
    /// # Errors
    /// When the database fails; [`StoreError::TooSlow`] when a text is not found in time.
    pub async fn list_root_posts(
        &self,
        workspace: WorkspaceId,
        filter: &PostFilter,
        page: Page,
    ) -> Result<Listed> {
        let (mut posts, is_cut) = match &filter.q {
            Some(q) => self.search_posts(workspace, filter, page, q).await?,
            None => {
                let (sql, params) = post_list(workspace, filter, page, self.dialect());
                self.read_within(sql, params, MOST_BYTES, read_listed).await?
            }
        };
        let unknown = posts.iter_mut().filter(|post| post.media_ids.is_empty());
        self.load_media(unknown).await?;
        Ok(Listed { posts, is_cut })
    }

    /// The group of a post, by the identifier of its root or of a comment.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_group(&self, workspace: WorkspaceId, post: PostId) -> Result<Option<FoundGroup>> {
        let rows = self.rows(FIND_GROUP, params![workspace, post]).await?;
        let Some((mut posts, version)) = read_group(&rows)? else {
            return Ok(None);
        };
        self.load_media(&mut posts).await?;
        Ok(Some(FoundGroup::of(posts, version)))
    }

    /// The account of a post.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn platform_of_post(&self, workspace: WorkspaceId, post: PostId) -> Result<Option<PlatformId>> {
        read_one(
            self.row(PLATFORM_OF_POST, params![workspace, post]).await?,
            |row| row.of("posts").id("platform_id"),
        )
    }

    /// Loads the media of all the posts.
    pub(crate) async fn load_media<'p, S: 'p>(
        &self,
        posts: impl IntoIterator<Item = &'p mut Post<S>>,
    ) -> Result<()> {
        let mut posts: Vec<&mut Post<S>> = posts.into_iter().collect();
        let ids = posts.iter().map(|post| post.id.0).collect();
        let found = self.look_up(&MEDIA_OF_POSTS, ids, read_medium).await?;
        add_media(&mut posts, found);
        Ok(())
    }
}

impl Tx {
    /// [`Store::find_group`] as this transaction has made it; it must exist.
    pub(crate) async fn group(&mut self, workspace: WorkspaceId, post: PostId) -> Result<FoundGroup> {
        let rows = self.rows(FIND_GROUP, params![workspace, post]).await?;
        let missing = StoreError::Missing {
            table: "posts",
            row: post.0,
        };
        let (mut posts, version) = read_group(&rows)?.ok_or(missing)?;
        let ids = posts.iter().map(|post| post.id.0).collect();
        let found = self.look_up(&MEDIA_OF_POSTS, ids, read_medium).await?;
        add_media(&mut posts.iter_mut().collect::<Vec<_>>(), found);
        Ok(FoundGroup::of(posts, version))
    }
}

pub(crate) const PLATFORM_OF_POST: &str =
    "SELECT id, platform_id FROM posts WHERE workspace_id = $1 AND id = $2";

const FIND_GROUP: &str = concat!(
    "SELECT ",
    post_columns!(),
    ", version FROM posts WHERE workspace_id = $1
     AND group_id = (SELECT group_id FROM posts WHERE id = $2 AND workspace_id = $1) ORDER BY position"
);

/// The posts of a group without their media, root first, and its version.
fn read_group(rows: &[Row]) -> Result<Option<(Vec<Post>, i64)>> {
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let version = first.of("posts").get("version")?;
    Ok(Some((read_all(rows, read_post)?, version)))
}

impl FoundGroup {
    fn of(mut posts: Vec<Post>, version: i64) -> Self {
        let children = posts.split_off(1);
        let root = posts.swap_remove(0);
        let group = Group { root, children };
        Self { group, version }
    }
}

/// The media of posts, by the posts' identifiers.
///
/// `CROSS JOIN` keeps SQLite from another order. On PostgreSQL the limit, which no post exceeds, keeps the inner query one of its own, which
/// is read from the index by (post, position) for each post, whatever is known of the table: `post_id IN (…)` was at times answered by
/// reading all of it.
pub(crate) const MEDIA_OF_POSTS: Lookup = Lookup {
    sqlite: "WITH RECURSIVE p (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM p WHERE number < length($1) / 16)
             SELECT number, position, media_id FROM p CROSS JOIN post_media WHERE post_id = substr($1, number * 16 - 15, 16)",
    postgres: "SELECT p.number, m.position, m.media_id FROM unnest($1::uuid[]) WITH ORDINALITY AS p (id, number) CROSS JOIN LATERAL
               (SELECT position, media_id FROM post_media WHERE post_id = p.id ORDER BY position LIMIT 200) m",
};
const _: () = assert!(MAX_MEDIA == 200, "MEDIA_OF_POSTS returns as many");

/// A medium of a post.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Medium {
    /// The index of its post among those that were looked up.
    post: usize,
    position: u64,
    id: MediaId,
}

fn read_medium(row: &Row) -> Result<Medium> {
    let fields = row.of("post_media");
    Ok(Medium {
        post: fields.looked_up()?,
        position: fields.number("position")?,
        id: fields.id("media_id")?,
    })
}

fn add_media<S>(posts: &mut [&mut Post<S>], mut found: Vec<Medium>) {
    // They come in this order, but the queries do not say so: with `ORDER BY`, both databases would sort.
    found.sort();
    for medium in found {
        if let Some(post) = posts.get_mut(medium.post) {
            post.media_ids.push(medium.id);
        }
    }
}

/// The text and parameters of [`Store::list_root_posts`].
pub(crate) fn post_list(
    workspace: WorkspaceId,
    filter: &PostFilter,
    page: Page,
    dialect: Dialect,
) -> (String, Vec<Param>) {
    post_list_among(&Among::All, workspace, filter, page, dialect)
}

/// [`post_list`] of some posts.
pub(crate) fn post_list_among(
    among: &Among<'_>,
    workspace: WorkspaceId,
    filter: &PostFilter,
    page: Page,
    dialect: Dialect,
) -> (String, Vec<Param>) {
    if let (Among::All, [_, ..], None, None) = (among, &*filter.states, &filter.platform_ids, &filter.q) {
        return post_list_of_states(workspace, filter, page, dialect);
    }
    let mut list = ListSql::of(listed_columns!(), among, workspace);
    list.bound(filter, page);
    if let Among::Before((effective_at, id)) = among {
        let precedes = match filter.latest_first {
            true => "(effective_at, id) > ({})",
            false => "(effective_at, id) < ({})",
        };
        list.and(precedes, params![*effective_at, *id]);
    }
    match filter.platform_ids.as_deref() {
        None => {}
        Some([]) => list.sql.push_str(" AND 1 = 0"),
        Some([platform]) => list.and("platform_id = {}", params![*platform]),
        Some(platforms) => list.and(
            "platform_id IN ({})",
            platforms.iter().map(|platform| (*platform).into()).collect(),
        ),
    }
    match &*filter.states {
        [] => {}
        [state] => list.and("state = {}", params![state.as_str()]),
        states => list.and(
            "state IN ({})",
            states.iter().map(|state| state.as_str().into()).collect(),
        ),
    }
    if let Some(q) = &filter.q {
        let position_of = match dialect {
            Dialect::Sqlite => "instr",
            Dialect::Postgres => "strpos",
        };
        // Not LIKE, of which the cost in the worst case is the text's length times the pattern's.
        list.and(
            &format!("{position_of}({}, {{}}) > 0", folded_text(dialect)),
            params![fold(q)],
        );
    }
    list.ordered(filter, page.limit)
}

/// [`post_list`] of some states, merged. Each has its posts in order in an index, which all together have not: where few posts are in these
/// states, those in the others would be read first.
///
/// Roots are those at position 0 here, as in the condition of that index (`posts_state`), so that neither database prefers the index of all
/// roots, whose condition is another one. SQLite reads no more of each state than the page takes; PostgreSQL would sort all that it
/// finds, were it not for the limit of each.
fn post_list_of_states(
    workspace: WorkspaceId,
    filter: &PostFilter,
    page: Page,
    dialect: Dialect,
) -> (String, Vec<Param>) {
    let mut list = ListSql {
        sql: concat!(
            "SELECT ",
            listed_columns!(),
            ", effective_at FROM posts WHERE workspace_id = $1 AND position = 0"
        )
        .to_owned(),
        params: params![workspace],
    };
    list.bound(filter, page);
    let (all, first) = (std::mem::take(&mut list.sql), list.first(filter, page.limit));
    let mut of_states = Vec::new();
    for state in &filter.states {
        list.params.push(state.as_str().into());
        let number = list.params.len();
        of_states.push(match dialect {
            Dialect::Sqlite => format!("{all} AND state = ${number}"),
            Dialect::Postgres => {
                format!("SELECT * FROM ({all} AND state = ${number}{first}) AS of_state_{number}")
            }
        });
    }
    (of_states.join(" UNION ALL ") + &first, list.params)
}

/// The place of the post that follows the first `count` of a list, whatever their account, state and text.
pub(crate) fn place_after(
    workspace: WorkspaceId,
    filter: &PostFilter,
    page: Page,
    count: u32,
) -> (String, Vec<Param>) {
    let mut list = ListSql::of("effective_at, id", &Among::All, workspace);
    list.bound(filter, page);
    let (sql, params) = list.ordered(filter, 1);
    (format!("{sql} OFFSET {count}"), params)
}

/// Which posts a list is made of.
pub(crate) enum Among<'a> {
    /// All.
    All,
    /// Those before this place in its order.
    Before((Time, Uuid)),
    /// Those that an index has found.
    Candidates(&'a Candidates),
}

/// The text of a list, and its parameters.
struct ListSql {
    sql: String,
    params: Vec<Param>,
}

impl ListSql {
    fn of(columns: &str, among: &Among<'_>, workspace: WorkspaceId) -> Self {
        let mut params = params![workspace];
        let table = match among {
            Among::All | Among::Before(_) => "posts".to_owned(),
            Among::Candidates(candidates) => {
                params.push((&candidates.param).into());
                candidates.table(params.len())
            }
        };
        let sql = format!("SELECT {columns} FROM {table} WHERE workspace_id = $1 AND parent_id IS NULL");
        Self { sql, params }
    }

    /// Adds a condition, in which `{}` stands for the values.
    fn and(&mut self, condition: &str, values: Vec<Param>) {
        let first = self.params.len() + 1;
        self.params.extend(values);
        let numbers = numbered(first, self.params.len() + 1 - first);
        self.sql.push_str(" AND ");
        self.sql.push_str(&condition.replace("{}", &numbers));
    }

    /// Where the list begins and ends.
    fn bound(&mut self, filter: &PostFilter, page: Page) {
        if let Some(start) = filter.start {
            self.and("effective_at >= {}", params![start]);
        }
        if let Some(end) = filter.end {
            self.and("effective_at < {}", params![end]);
        }
        if let Some((effective_at, id)) = page.after {
            let follows = match filter.latest_first {
                true => "(effective_at, id) < ({})",
                false => "(effective_at, id) > ({})",
            };
            self.and(follows, params![effective_at, id]);
        }
    }

    /// The first rows in the order of the list.
    fn ordered(mut self, filter: &PostFilter, limit: u32) -> (String, Vec<Param>) {
        let first = self.first(filter, limit);
        self.sql.push_str(&first);
        (self.sql, self.params)
    }

    /// The order, and the limit as a parameter.
    fn first(&mut self, filter: &PostFilter, limit: u32) -> String {
        let direction = if filter.latest_first { "DESC" } else { "ASC" };
        self.params.push(limit.into());
        let limit = self.params.len();
        format!(" ORDER BY effective_at {direction}, id {direction} LIMIT ${limit}")
    }
}

/// An event about a post.
pub(crate) fn post_event(workspace: WorkspaceId, kind: EventKind, post: &Post) -> NewEvent {
    let payload = value!({
        "postId": post.id,
        "groupId": post.group_id,
        "parentPostId": post.parent_id,
        "platformId": post.platform_id,
        "state": post.state.as_str(),
        "scheduledFor": post.scheduled_for,
        "releaseId": post.release_id,
        "releaseUrl": post.release_url,
        "errorText": post.error_text,
    });
    NewEvent {
        workspace_id: workspace,
        kind,
        payload,
    }
}

/// What stands in the columns `waiting` and `is_overdue` of a post that waits for this.
pub(crate) const fn waiting_columns(waiting: Option<Waiting>) -> (Option<&'static str>, bool) {
    match waiting {
        Some(Waiting::Overdue) => (Some(Waiting::AccountUnavailable.as_str()), true),
        Some(waiting) => (Some(waiting.as_str()), false),
        None => (None, false),
    }
}

fn read_waiting(fields: Fields<'_>) -> Result<Option<Waiting>> {
    let waiting = fields.opt_word("waiting", Waiting::parse)?;
    let is_overdue: bool = fields.get("is_overdue")?;
    Ok(match waiting {
        Some(Waiting::AccountUnavailable) if is_overdue => Some(Waiting::Overdue),
        waiting => waiting,
    })
}

/// A post without its media.
pub(crate) fn read_post(row: &Row) -> Result<Post> {
    read_with(row, |fields| fields.json("settings"))
}

/// The same for a list, with its media if the row has a copy of them. A post without media has none.
pub(crate) fn read_listed(row: &Row) -> Result<ListedPost> {
    let mut post = read_with(row, |fields| fields.object_text("settings"))?;
    post.media_ids = row.of("posts").ids("listed_media")?;
    Ok(post)
}

/// What stands in the column `listed_media` of a root post with these media.
pub(crate) fn listed_media(media: &[MediaId]) -> Param {
    let bytes: Vec<u8> = media.iter().flat_map(|id| *id.0.as_bytes()).collect();
    Param::Bytes(Some(bytes).filter(|bytes| !bytes.is_empty()))
}

fn read_with<S>(row: &Row, settings: fn(Fields<'_>) -> Result<S>) -> Result<Post<S>> {
    let fields = row.of("posts");
    Ok(Post {
        id: fields.id("id")?,
        group_id: fields.id::<GroupId>("group_id")?,
        parent_id: fields.opt_id("parent_id")?,
        platform_id: fields.id("platform_id")?,
        content: fields.get("content")?,
        state: fields.word("state", PostState::parse)?,
        waiting: read_waiting(fields)?,
        publishing: fields.get("publishing")?,
        scheduled_for: fields.opt_time("scheduled_for")?,
        delay_minutes: fields.opt_number("delay_minutes")?,
        release_id: fields.get("release_id")?,
        release_url: fields.get("release_url")?,
        settings: settings(fields)?,
        media_ids: Vec::new(),
        error_text: fields.get("error_text")?,
        created_at: fields.time("created_at")?,
        updated_at: fields.time("updated_at")?,
        created_by: fields.opt_json("created_by")?,
        updated_by: fields.opt_json("updated_by")?,
    })
}
