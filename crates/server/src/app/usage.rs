//! What a workspace has used of its plan.

use playout_domain::access::Accounts;
use playout_domain::workspace::Workspace;
use playout_wire::usage::{CountBody, MonthBody, StorageBody, UsageBody};

use super::{App, AppError};

impl App {
    /// The plan's limits, and how much of each is used; of the accounts, those that are seen.
    pub async fn usage(&self, workspace: &Workspace, seen: &Accounts) -> Result<UsageBody, AppError> {
        let (plan, now) = (self.plan_of(&workspace.plan), self.now());
        let used = self.store.usage(workspace.id, &now.month()).await?;
        let count = |used, limit| CountBody { used, limit };
        Ok(UsageBody {
            plan: workspace.plan.clone(),
            month: MonthBody {
                start: now.month_start(),
                resets_at: now.next_month_start(),
            },
            posts: count(used.posts, plan.posts_per_month),
            storage: StorageBody {
                used_bytes: self.store.storage_used(workspace.id).await?,
                limit_bytes: plan.storage_bytes,
            },
            platforms: count(
                self.store.count_platforms(workspace.id).await?,
                plan.connected_accounts,
            ),
            ai_credits: count(used.ai_credits, plan.ai_credits_per_month),
            max_video_bytes: plan.max_video_bytes,
            accounts: self.account_usage(workspace.id, seen).await?,
        })
    }
}
