-- The handles under which providers returned an account, each with the first and the last time of an unbroken span. The connections of
-- one account have identifiers of their own: whether two may be of one account follows from these. Rows stay for as long as the account
-- has a row in platforms or removed_submissions.
CREATE TABLE account_handles (
    provider TEXT NOT NULL,
    provider_account_id TEXT NOT NULL,
    handle TEXT NOT NULL,
    first_seen_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (provider, provider_account_id, handle)
);

-- Which connection a deleted post was submitted by. NULL in rows of before.
ALTER TABLE removed_submissions ADD COLUMN connection TEXT;
