-- Codes of an authenticator app beside the password (RFC 6238). The secret is sealed; no code of last_step, or of a step
-- before it, is accepted again. Not active while it has an end, by which it must be confirmed.
CREATE TABLE second_factors (
    user_id UUID NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    secret BYTEA NOT NULL,
    last_step BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT
);
CREATE INDEX second_factors_expiry ON second_factors (expires_at);

-- SHA-256 of codes that stand in for the app's, each once.
CREATE TABLE recovery_codes (
    user_id UUID NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
    code_hash BYTEA NOT NULL,
    PRIMARY KEY (user_id, code_hash)
);

-- Who has shown the right password and is asked for a code: the SHA-256 of the token that the page holds meanwhile.
CREATE TABLE sign_ins (
    token_hash BYTEA NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sign_ins_user ON sign_ins (user_id);
CREATE INDEX sign_ins_expiry ON sign_ins (expires_at);
