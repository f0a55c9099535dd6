-- Files that the service fetches from an address: for which media object, from where, and when next. A row is leased by moving due_at. It goes
-- when the object is READY, has failed, or is deleted. validator is the version of the bytes that are in, as the address named it (RFC 9110, section 8.8).
CREATE TABLE imports (
    media_id UUID NOT NULL PRIMARY KEY REFERENCES media (id) ON DELETE CASCADE,
    workspace_id UUID NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    validator TEXT,
    -- Whether media.upload_length is the length of the file, and not what is reserved for it so far.
    is_measured BOOLEAN NOT NULL DEFAULT FALSE,
    tries BIGINT NOT NULL DEFAULT 0,
    due_at BIGINT NOT NULL
);
CREATE INDEX imports_due ON imports (due_at);
