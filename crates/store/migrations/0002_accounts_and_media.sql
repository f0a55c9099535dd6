-- Connected accounts, the authorizations that connect them, and media.

-- Tokens are sealed by the vault. refresh_owner and refresh_lease_until make a refresh single flight across nodes.
-- Removing an account sets removed_at: its posts keep pointing at it.
CREATE TABLE platforms (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    provider TEXT NOT NULL,
    provider_account_id TEXT NOT NULL,
    display_name TEXT,
    display_handle TEXT,
    display_image_url TEXT,
    disabled BOOLEAN NOT NULL DEFAULT FALSE,
    refresh_needed BOOLEAN NOT NULL DEFAULT FALSE,
    access_token BYTEA,
    access_expires_at BIGINT,
    refresh_token BYTEA,
    refresh_expires_at BIGINT,
    scopes JSONB NOT NULL,
    token_version BIGINT NOT NULL,
    refresh_owner TEXT,
    refresh_lease_until BIGINT,
    capabilities JSONB NOT NULL,
    metadata JSONB NOT NULL,
    settings JSONB NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    removed_at BIGINT,
    UNIQUE (workspace_id, provider, provider_account_id)
);
CREATE INDEX platforms_account ON platforms (provider, provider_account_id);

CREATE TABLE authorizations (
    state_hash BYTEA NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    user_id UUID REFERENCES users (id) ON DELETE CASCADE,
    session_hash BYTEA,
    provider TEXT NOT NULL,
    verifier BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX authorizations_expiry ON authorizations (expires_at);

-- name_key is the name in lower case by Unicode's rules, which SQLite's lower() does not know.
CREATE TABLE folders (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (workspace_id, name_key)
);

-- The upload_ columns are set while a resumable upload (tus) is PENDING; size_bytes is then its declared length.
CREATE TABLE media (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    folder_id UUID REFERENCES folders (id) ON DELETE SET NULL,
    storage_key TEXT NOT NULL UNIQUE,
    preview_key TEXT UNIQUE,
    mime TEXT NOT NULL,
    media_type TEXT NOT NULL CHECK (media_type IN ('image', 'video', 'audio', 'file')),
    size_bytes BIGINT CHECK (size_bytes >= 0),
    file_name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'READY')),
    probe JSONB,
    sha256 BYTEA,
    upload_length BIGINT,
    upload_received BIGINT,
    upload_metadata TEXT,
    upload_expires_at BIGINT,
    finalized_at BIGINT,
    created_at BIGINT NOT NULL,
    CHECK ((status = 'READY') = (finalized_at IS NOT NULL))
);
CREATE INDEX media_list ON media (workspace_id, created_at, id);
CREATE INDEX media_folder ON media (workspace_id, folder_id, created_at, id);
CREATE INDEX media_upload_expiry ON media (upload_expires_at) WHERE status = 'PENDING';

CREATE TABLE storage (
    workspace_id UUID NOT NULL PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    bytes BIGINT NOT NULL CHECK (bytes >= 0)
);
