-- The append-only log, stored answers, webhooks and the audit trail.

CREATE TABLE events (
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id UUID NOT NULL,
    kind TEXT NOT NULL,
    payload JSONB NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);

CREATE TABLE idempotency (
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('started', 'completed')),
    status BIGINT,
    headers JSONB,
    body BYTEA,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, key),
    CHECK ((state = 'completed') = (status IS NOT NULL))
);
CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE webhooks (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    events JSONB NOT NULL,
    secret BYTEA NOT NULL,
    disabled BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX webhooks_workspace ON webhooks (workspace_id, created_at, id);

CREATE TABLE webhook_deliveries (
    id UUID NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    webhook_id UUID NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    event_id UUID NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
    attempt BIGINT NOT NULL DEFAULT 0,
    due_at BIGINT NOT NULL,
    leased_until BIGINT,
    lease_owner TEXT,
    response_status BIGINT,
    response_text TEXT,
    created_at BIGINT NOT NULL,
    finished_at BIGINT,
    UNIQUE (webhook_id, event_id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, created_at, id);

CREATE TABLE audit (
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id UUID NOT NULL,
    actor_kind TEXT NOT NULL CHECK (actor_kind IN ('user', 'key', 'system')),
    actor_id UUID,
    action TEXT NOT NULL,
    target TEXT,
    detail JSONB,
    address TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
