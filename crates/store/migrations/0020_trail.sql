-- Who created and who last changed a post: {"kind", "id", "name"}, as they were then. NULL for posts from before.
ALTER TABLE posts ADD COLUMN created_by JSONB;
ALTER TABLE posts ADD COLUMN updated_by JSONB;

-- A workspace's trail outlives it, so it no longer refers to the workspace's row.
CREATE TABLE trail (
    workspace_id UUID NOT NULL,
    id UUID NOT NULL,
    actor_kind TEXT NOT NULL CHECK (actor_kind IN ('user', 'key', 'system')),
    actor_id UUID,
    actor_name TEXT,
    session_id UUID,
    address TEXT,
    action TEXT NOT NULL,
    target TEXT,
    detail JSONB,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
INSERT INTO trail (workspace_id, id, actor_kind, actor_id, actor_name, session_id, address, action, target, detail, created_at)
    SELECT workspace_id, id, actor_kind, actor_id, actor_name, session_id, address, action, target, detail, created_at FROM audit;
DROP TABLE audit;
ALTER TABLE trail RENAME TO audit;
CREATE INDEX audit_list ON audit (workspace_id, created_at, id);
CREATE INDEX audit_actor ON audit (workspace_id, actor_id, created_at, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_action ON audit (workspace_id, action, created_at, id);

-- Workspaces that were deleted, until their trail is swept.
CREATE TABLE ended_workspaces (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    ended_at BIGINT NOT NULL
);
CREATE INDEX ended_workspaces_end ON ended_workspaces (ended_at);

-- What concerns a person and no workspace. minute is set for what is counted by the minute, such as failed sign-ins.
CREATE TABLE activity (
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    id UUID NOT NULL,
    actor_kind TEXT NOT NULL CHECK (actor_kind IN ('user', 'system')),
    actor_id UUID,
    actor_name TEXT,
    session_id UUID,
    address TEXT,
    action TEXT NOT NULL,
    minute BIGINT,
    times BIGINT NOT NULL,
    detail JSONB,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX activity_list ON activity (user_id, created_at, id);
CREATE UNIQUE INDEX activity_minute ON activity (user_id, action, minute) WHERE minute IS NOT NULL;
