-- The text that was handed over: the post's own may be changed while nobody knows whether it came out. NULL in rows of before.
ALTER TABLE submissions ADD COLUMN content TEXT;
-- The text under which a post that a hold has marked may be out, where it was changed since.
ALTER TABLE posts ADD COLUMN look_content TEXT;

-- What is kept for a while of the submissions of deleted posts, so that what the provider tells or lists of them is not taken for
-- another post of the account: by the account, because it can be connected in several workspaces, and these can be deleted, too.
-- text_mark is the SHA-256 of the beginning of the text. is_lost: it was fetched, and its handle never became known. may_be_out: it may
-- be out or come out under an ID that is not known.
CREATE TABLE removed_submissions (
    id UUID NOT NULL PRIMARY KEY,
    provider TEXT NOT NULL,
    provider_account_id TEXT NOT NULL,
    handle TEXT,
    release_id TEXT,
    text_mark BYTEA NOT NULL,
    is_lost BOOLEAN NOT NULL,
    may_be_out BOOLEAN NOT NULL,
    removed_at BIGINT NOT NULL
);
CREATE INDEX removed_submissions_account ON removed_submissions (provider, provider_account_id, removed_at);
CREATE INDEX removed_submissions_handle ON removed_submissions (handle) WHERE handle IS NOT NULL;
