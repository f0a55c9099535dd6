//! Searching the texts of posts.
//!
//! The rule is that of a list with `q` (`read.rs`): it reads posts in the list's order, and compares each. That is fast where it soon fills
//! the page, and reads every post where it does not. So at first only the beginning of the list is read. If that neither fills the page nor
//! is the whole list, an index finds candidates (`db/text_index.rs`), which are compared by the same rule, and sorted. Where they are many, the
//! list fills its page sooner than they are sorted. Each way gives the same page.

use playout_domain::id::WorkspaceId;
use playout_domain::post::ListedPost;
use playout_domain::time::Time;
use uuid::Uuid;

use super::read::{Among, PostFilter, place_after, post_list_among, read_listed};
use crate::db::{Dialect, MOST_BYTES, Page, Result, Row, Search, Store};

/// How many posts of the list are read at first.
pub(crate) const BEGINNING: u32 = 2_000;

impl Store {
    /// The posts of a page without their media, and whether it was cut.
    ///
    /// # Errors
    /// When the database fails; [`StoreError::TooSlow`](crate::StoreError::TooSlow) when that takes too long.
    pub(super) async fn search_posts(
        &self,
        workspace: WorkspaceId,
        filter: &PostFilter,
        page: Page,
        q: &str,
    ) -> Result<(Vec<ListedPost>, bool)> {
        self.search_posts_after(BEGINNING, workspace, filter, page, q)
            .await
    }

    /// The same, after so many posts of the list have been read.
    pub(crate) async fn search_posts_after(
        &self,
        beginning: u32,
        workspace: WorkspaceId,
        filter: &PostFilter,
        page: Page,
        q: &str,
    ) -> Result<(Vec<ListedPost>, bool)> {
        let mut search = self.begin_search().await?;
        let list = SearchedList {
            beginning,
            workspace,
            filter,
            page,
            dialect: self.dialect(),
        };
        let found = list.find(&mut search, q).await?;
        search.end().await?;
        Ok(found)
    }
}

/// The list that is searched.
struct SearchedList<'a> {
    beginning: u32,
    workspace: WorkspaceId,
    filter: &'a PostFilter,
    page: Page,
    dialect: Dialect,
}

impl SearchedList<'_> {
    async fn find(&self, search: &mut Search, q: &str) -> Result<(Vec<ListedPost>, bool)> {
        search.read_in_order(true).await?;
        let Some(place) = self.end_of_beginning(search).await? else {
            return self.among(search, &Among::All).await;
        };
        let (posts, is_cut) = self.among(search, &Among::Before(place)).await?;
        if is_cut || posts.len() >= self.page.limit as usize {
            return Ok((posts, is_cut));
        }
        search.read_in_order(false).await?;
        let candidates = search.candidates(q).await?;
        if let Some(candidates) = &candidates {
            return self.among(search, &Among::Candidates(candidates)).await;
        }
        search.read_by_bitmaps(false).await?;
        self.among(search, &Among::All).await
    }

    /// The place of the first post after the beginning of the list; `None` where there is none.
    async fn end_of_beginning(&self, search: &mut Search) -> Result<Option<(Time, Uuid)>> {
        let (sql, params) = place_after(self.workspace, self.filter, self.page, self.beginning);
        search.read_one(sql, params, read_place).await
    }

    async fn among(&self, search: &mut Search, among: &Among<'_>) -> Result<(Vec<ListedPost>, bool)> {
        let (sql, params) = post_list_among(among, self.workspace, self.filter, self.page, self.dialect);
        search.read_within(sql, params, MOST_BYTES, read_listed).await
    }
}

fn read_place(row: &Row) -> Result<(Time, Uuid)> {
    let fields = row.of("posts");
    Ok((fields.time("effective_at")?, fields.get("id")?))
}
