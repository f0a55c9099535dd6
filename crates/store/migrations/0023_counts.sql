-- What a workspace has only so many of is counted without what it no longer has.

CREATE INDEX keys_not_revoked ON keys (workspace_id) WHERE revoked_at IS NULL;
CREATE INDEX media_unfinished ON media (workspace_id, upload_expires_at) WHERE status = 'PENDING' AND failure_code IS NULL;
