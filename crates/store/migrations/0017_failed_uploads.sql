-- Uploads that cannot be finished. upload_attempts counts how often finishing one was begun, before its file is looked into.
-- A failed one stays PENDING with its reason and without bytes (size_bytes is null) until upload_expires_at.
ALTER TABLE media ADD COLUMN upload_attempts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE media ADD COLUMN failure_code TEXT;
ALTER TABLE media ADD COLUMN failure_message TEXT;

-- Storage that uploads of one request hold while they come in. It is counted in storage.bytes; the row goes with the
-- upload, or with its lease when the process has died.
CREATE TABLE storage_reservations (
    storage_key TEXT NOT NULL PRIMARY KEY,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    bytes BIGINT NOT NULL CHECK (bytes >= 0),
    lease_until BIGINT NOT NULL
);
CREATE INDEX storage_reservations_lease ON storage_reservations (lease_until);
