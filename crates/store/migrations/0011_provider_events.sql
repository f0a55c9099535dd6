-- Why a submission travels the way it does, in a sentence for people.
ALTER TABLE submissions ADD COLUMN transfer_reason TEXT;

-- When the provider last told that a post which is out is no longer shown to everybody, by its own clock.
ALTER TABLE posts ADD COLUMN hidden_at BIGINT;

-- News are looked up by their handle, also across the accounts of workspaces that share one account of the provider.
DROP INDEX submissions_handle;
CREATE INDEX submissions_handle ON submissions (handle, platform_id) WHERE handle IS NOT NULL;
-- The few whose handle was lost although somebody fetched them.
CREATE INDEX submissions_lost ON submissions (platform_id) WHERE handle IS NULL AND fetched_at IS NOT NULL;
