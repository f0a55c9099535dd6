-- Sessions get a name of their own, for the audit trail, and where they were begun. Nobody could have begun one before.
DROP TABLE sessions;
CREATE TABLE sessions (
    token_hash BYTEA NOT NULL PRIMARY KEY,
    id UUID NOT NULL UNIQUE,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    address TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Entries are only ever added; actor_name is kept as it was, because who acted may be gone later.
DROP TABLE audit;
CREATE TABLE audit (
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
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
CREATE INDEX audit_list ON audit (workspace_id, created_at, id);
