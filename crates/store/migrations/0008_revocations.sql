-- Access that providers are to end: the tokens of removed accounts and of deleted workspaces, and those of
-- authorizations that connected nothing. Only the job that gives them back reads them. They are sealed as they were in
-- the row they came from, which grant_id and version name. due_at is when anyone may claim one; (grant_id, version,
-- attempt) is the fence. dies_at is when the access ends by itself.
CREATE TABLE revocations (
    grant_id UUID NOT NULL,
    version BIGINT NOT NULL,
    provider TEXT NOT NULL,
    provider_account_id TEXT NOT NULL,
    access_token BYTEA NOT NULL,
    refresh_token BYTEA,
    dies_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    leased_until BIGINT,
    attempt BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    PRIMARY KEY (grant_id, version)
);
CREATE INDEX revocations_due ON revocations (due_at);
CREATE INDEX revocations_account ON revocations (provider, provider_account_id);
