-- People, workspaces, keys and device authorizations. Portable: PostgreSQL and SQLite read the same text.
-- UUID: 16 bytes. BIGINT times: microseconds since the epoch, UTC. BYTEA hashes: SHA-256.

CREATE TABLE users (
    id UUID NOT NULL PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    name TEXT,
    created_at BIGINT NOT NULL
);

CREATE TABLE sessions (
    token_hash BYTEA NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE workspaces (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    plan TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE members (
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX members_user ON members (user_id, created_at);

CREATE TABLE invitations (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    token_hash BYTEA NOT NULL UNIQUE,
    invited_by UUID REFERENCES users (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    accepted_at BIGINT
);
CREATE INDEX invitations_workspace ON invitations (workspace_id, created_at);

CREATE TABLE keys (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    hash BYTEA NOT NULL UNIQUE,
    name TEXT NOT NULL,
    last_four TEXT NOT NULL,
    created_by UUID REFERENCES users (id) ON DELETE SET NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX keys_workspace ON keys (workspace_id, created_at, id);

-- RFC 8628. The minted key waits here, encrypted, until it is fetched once.
CREATE TABLE device_authorizations (
    id UUID NOT NULL PRIMARY KEY,
    device_code_hash BYTEA NOT NULL UNIQUE,
    user_code TEXT NOT NULL UNIQUE,
    client_name TEXT,
    client_address TEXT,
    interval_seconds BIGINT NOT NULL,
    last_polled_at BIGINT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'used')),
    workspace_id UUID REFERENCES workspaces (id) ON DELETE CASCADE,
    api_key BYTEA,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX device_authorizations_expiry ON device_authorizations (expires_at);
