//! Lists posts.

use std::sync::Arc;

use playout_domain::id::WorkspaceId;
use playout_store::{Listed, Page, PostFilter};

use crate::app::{App, AppError};

impl App {
    /// Root posts, as the store lists them. A search waits its turn, and keeps its place until it has ended, whether or not
    /// its client is still there.
    pub async fn list_posts(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        filter: PostFilter,
        page: Page,
    ) -> Result<Listed, AppError> {
        let mut listed = match filter.q {
            None => self.store.list_root_posts(workspace, &filter, page).await?,
            Some(_) => self.search_posts(workspace, filter, page).await?,
        };
        self.explain_hold(&mut listed.posts).await?;
        Ok(listed)
    }

    async fn search_posts(
        self: &Arc<Self>,
        workspace: WorkspaceId,
        filter: PostFilter,
        page: Page,
    ) -> Result<Listed, AppError> {
        let place = self.searches.enter(workspace).await?;
        let app = Arc::clone(self);
        let searching = async move {
            let _place = place;
            app.store.list_root_posts(workspace, &filter, page).await
        };
        Ok(tokio::spawn(searching).await??)
    }
}
