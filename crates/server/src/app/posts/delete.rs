//! Deleting a group.

use playout_domain::error::{Code, Refusal};
use playout_domain::id::{PostId, WorkspaceId};
use playout_domain::post::Group;
use playout_store::{DeleteGroup, OnlyIf, StoreError};

use super::asked::{Asked, Changes};
use super::refusals::{post_not_found, publishing};
use crate::app::expected::Expected;
use crate::app::{App, AppError};

impl App {
    /// Deletes a whole group by the ID of any of its posts.
    pub async fn delete_group(
        &self,
        workspace: WorkspaceId,
        id: PostId,
        asked: Asked<'_>,
    ) -> Result<(), AppError> {
        let is_any = *asked.expected == Expected::Any && asked.changes == Changes::All;
        let deleted = loop {
            let mut seen = None;
            if !is_any {
                let group = self.find_group(workspace, id).await?.group;
                self.check_expected(asked.expected, &group).await?;
                asked.changes.check(&group.root)?;
                seen = Some(group);
            }
            let is_seen = |group: &Group| seen.as_ref() == Some(group);
            let only_if: OnlyIf<'_, Group> = if is_any { None } else { Some(&is_seen) };
            match self
                .store
                .delete_group_if(workspace, id, asked.by, self.now(), only_if)
                .await
            {
                // Changed since it was read: judged again, for those who named no version.
                Err(StoreError::Stale) if *asked.expected == Expected::Any => {}
                deleted => break deleted?,
            }
        };
        match deleted {
            DeleteGroup::Deleted => Ok(()),
            DeleteGroup::NotFound => Err(post_not_found().into()),
            DeleteGroup::Publishing => Err(publishing().into()),
            DeleteGroup::HandedOver => Err(Refusal::new(
                Code::PostPublishing,
                "The provider has the post and may still publish it; what becomes of it can be asked once the account is reconnected. \
                 Reconnect the account, or look there and mark the post as published; then delete it.",
            )
            .into()),
        }
    }
}
