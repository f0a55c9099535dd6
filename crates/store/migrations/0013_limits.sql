-- What providers said of the limits of accounts: one row for each kind, kept until a try shows that it no longer holds,
-- or until nothing was heard of it for longer than any limit lasts. An account may be connected by several workspaces;
-- what its provider says of it holds for all of them. next_try_at is when one post tries again; the others wait.
CREATE TABLE restrictions (
    provider TEXT NOT NULL,
    provider_account_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('direct_posts', 'inbox_shares', 'active_users', 'requests', 'banned')),
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    since BIGINT NOT NULL,
    said_at BIGINT NOT NULL,
    next_try_at BIGINT NOT NULL,
    PRIMARY KEY (provider, provider_account_id, kind)
);
CREATE INDEX restrictions_said ON restrictions (said_at);

-- The hand-overs of an account in the last minute, and in the last day.
CREATE INDEX submissions_recent ON submissions (platform_id, started_at);

-- tokens_at is when the present tokens were stored. refresh_notice is the day (UTC) and the cause for which the workspace
-- was last told that the account must be reconnected: once for each.
ALTER TABLE platforms ADD COLUMN tokens_at BIGINT;
ALTER TABLE platforms ADD COLUMN refresh_notice TEXT;
