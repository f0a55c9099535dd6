-- Posts, the jobs that move them, and the ledger of submissions.

-- A group is the posts that share a group_id: the root (parent_id IS NULL, position 0) and its comments in order.
-- effective_at is scheduled_for, else created_at: what lists sort by. counted_month is the month whose usage holds it.
-- version of a root rises with every change of its group by a person.
CREATE TABLE posts (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    group_id UUID NOT NULL,
    parent_id UUID,
    position BIGINT NOT NULL,
    platform_id UUID NOT NULL REFERENCES platforms (id),
    content TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('DRAFT', 'QUEUE', 'PUBLISHED', 'ACTION_REQUIRED', 'ERROR')),
    waiting TEXT CHECK (waiting IN ('reconnect', 'inbox', 'unconfirmed', 'account_unavailable')),
    publishing BOOLEAN NOT NULL,
    scheduled_for BIGINT,
    delay_minutes BIGINT,
    release_id TEXT,
    release_url TEXT,
    settings JSONB NOT NULL,
    error_text TEXT,
    effective_at BIGINT NOT NULL,
    counted_month TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    CHECK ((state = 'ACTION_REQUIRED') = (waiting IS NOT NULL)),
    CHECK ((parent_id IS NULL) = (position = 0))
);
CREATE UNIQUE INDEX posts_group ON posts (workspace_id, group_id, position);
CREATE INDEX posts_list ON posts (workspace_id, effective_at, id) WHERE parent_id IS NULL;
CREATE INDEX posts_platform ON posts (workspace_id, platform_id, effective_at, id) WHERE parent_id IS NULL;
CREATE INDEX posts_waiting ON posts (platform_id) WHERE waiting IS NOT NULL;

CREATE TABLE post_media (
    workspace_id UUID NOT NULL,
    post_id UUID NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    media_id UUID NOT NULL REFERENCES media (id) ON DELETE CASCADE,
    PRIMARY KEY (post_id, position)
);
CREATE INDEX post_media_media ON post_media (media_id);

-- Live jobs only: a finished job is deleted. due_at is when anyone may claim it: run_at, or the end of the lease.
-- (id, attempt) is the fence.
CREATE TABLE jobs (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    platform_id UUID NOT NULL REFERENCES platforms (id) ON DELETE CASCADE,
    post_id UUID REFERENCES posts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('publish_post', 'publish_comment', 'resolve_link', 'refresh_platform')),
    run_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    checks BIGINT NOT NULL,
    leased_until BIGINT,
    lease_owner TEXT,
    deadline_at BIGINT NOT NULL,
    CHECK (due_at = COALESCE(leased_until, run_at)),
    CHECK ((leased_until IS NULL) = (lease_owner IS NULL)),
    CHECK ((kind = 'refresh_platform') = (post_id IS NULL))
);
CREATE UNIQUE INDEX jobs_one_per_post ON jobs (post_id, kind) WHERE post_id IS NOT NULL;
CREATE UNIQUE INDEX jobs_one_per_platform ON jobs (platform_id, kind) WHERE post_id IS NULL;
CREATE INDEX jobs_due ON jobs (due_at, platform_id, id);
CREATE INDEX jobs_platform ON jobs (platform_id);

-- The ledger: one row for every try at handing a post over. transfer is NULL where the try ended before one began.
CREATE TABLE submissions (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    platform_id UUID NOT NULL REFERENCES platforms (id),
    post_id UUID NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
    transfer TEXT CHECK (transfer IN ('upload', 'pull', 'text')),
    handle TEXT,
    upload BYTEA,
    sent_bytes BIGINT NOT NULL,
    token_hash BYTEA UNIQUE,
    last_byte_at BIGINT,
    fetched_at BIGINT,
    revoked_at BIGINT,
    started_at BIGINT NOT NULL,
    closed_at BIGINT,
    outcome TEXT CHECK (outcome IN ('published', 'in_inbox', 'rejected', 'abandoned', 'reauthorize', 'unknown')),
    code TEXT,
    message TEXT,
    log_id TEXT,
    next_retry_at BIGINT,
    CHECK ((closed_at IS NULL) = (outcome IS NULL)),
    CHECK (transfer IS NOT NULL OR closed_at IS NOT NULL)
);
CREATE UNIQUE INDEX submissions_one_open ON submissions (post_id) WHERE closed_at IS NULL;
CREATE INDEX submissions_post ON submissions (post_id, started_at, id);
CREATE INDEX submissions_handle ON submissions (platform_id, handle) WHERE handle IS NOT NULL;

CREATE TABLE usage (
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    month TEXT NOT NULL,
    posts BIGINT NOT NULL DEFAULT 0 CHECK (posts >= 0),
    ai_credits BIGINT NOT NULL DEFAULT 0 CHECK (ai_credits >= 0),
    PRIMARY KEY (workspace_id, month)
);
