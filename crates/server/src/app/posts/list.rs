//! Lists posts.

use std::sync::Arc;

use playout_domain::id::WorkspaceId;
use playout_store::{Listed, Page, PostFilter};

use crate::app::{App, AppError};

impl App {
    /// Root posts, as the store lists them. A search waits its turn, and ends when its client goes away.
    pub async fn list_posts(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        filter: PostFilter,
        page: Page,
    ) -> Result<Listed, AppError> {
        let mut listed = match filter.q {
            None => self.store.list_root_posts(workspace, &filter, page).await?,
            Some(_) => self.search_posts(workspace, &filter, page).await?,
        };
        self.explain_hold(&mut listed.posts).await?;
        Ok(listed)
    }

    async fn search_posts(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        filter: &PostFilter,
        page: Page,
    ) -> Result<Listed, AppError> {
        let _place = self.searches.enter(workspace).await?;
        Ok(self.store.list_root_posts(workspace, filter, page).await?)
    }
}
