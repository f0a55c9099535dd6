-- Addresses are verified by mail. Those that are here already count as verified.
ALTER TABLE users ADD COLUMN email_verified_at BIGINT;
UPDATE users SET email_verified_at = created_at;

-- The SHA-256 of the token of a link that was mailed to an address. Another address than the user's present one becomes
-- theirs with the link; session_id is the session in which it was asked for, which goes on then.
CREATE TABLE email_verifications (
    token_hash BYTEA NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    session_id UUID,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX email_verifications_user ON email_verifications (user_id);
CREATE INDEX email_verifications_expiry ON email_verifications (expires_at);

-- Sessions end 90 days after they began, however often they are used, so their last use no longer follows from their end.
ALTER TABLE sessions ADD COLUMN noted_at BIGINT NOT NULL DEFAULT 0;
UPDATE sessions SET noted_at = expires_at - 2592000000000;
UPDATE sessions SET expires_at = created_at + 7776000000000 WHERE expires_at > created_at + 7776000000000;

-- The member who was shown the present secret when they made the webhook or rotated it. NULL: the workspace alone holds it.
ALTER TABLE webhooks ADD COLUMN held_by UUID REFERENCES users (id) ON DELETE SET NULL;

CREATE INDEX keys_creator ON keys (created_by) WHERE revoked_at IS NULL;
