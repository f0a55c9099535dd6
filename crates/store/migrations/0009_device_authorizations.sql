-- RFC 8628. Of both codes only hashes are stored, that of the user code under a secret key, and of the API key nothing:
-- it is made when the client that waits asks next. Nobody could have begun an authorization before.
DROP TABLE device_authorizations;
CREATE TABLE device_authorizations (
    id UUID NOT NULL PRIMARY KEY,
    device_code_hash BYTEA NOT NULL UNIQUE,
    user_code_hash BYTEA NOT NULL UNIQUE,
    client_name TEXT,
    client_id TEXT,
    client_address TEXT,
    interval_seconds BIGINT NOT NULL,
    last_polled_at BIGINT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'used')),
    workspace_id UUID REFERENCES workspaces (id) ON DELETE CASCADE,
    approved_by UUID REFERENCES users (id) ON DELETE CASCADE,
    approved_name TEXT,
    approved_session UUID,
    approved_address TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    CHECK (state <> 'approved' OR (workspace_id IS NOT NULL AND approved_by IS NOT NULL))
);
CREATE INDEX device_authorizations_expiry ON device_authorizations (expires_at);
CREATE INDEX device_authorizations_workspace ON device_authorizations (workspace_id);
