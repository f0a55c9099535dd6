-- What is so of the whole service: one row. Where there were users already, sign-up stays open unless a setting says
-- otherwise; where there were none, it is open for the first user alone.
CREATE TABLE instance (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    signup_open BOOLEAN NOT NULL
);
INSERT INTO instance (id, signup_open) VALUES (1, EXISTS (SELECT 1 FROM users));

-- The first user runs the service.
ALTER TABLE users ADD COLUMN is_operator BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE users SET is_operator = TRUE WHERE id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1);

-- Who made a workspace: it counts for them although somebody else owns it by now.
ALTER TABLE workspaces ADD COLUMN created_by UUID REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX workspaces_created_by ON workspaces (created_by);

-- How much is used up of what may be sent for a person, for a workspace or to an address: a keyed hash names which.
-- Nothing is used up any more at the time that stands here.
CREATE TABLE allowances (
    kind TEXT NOT NULL,
    subject BYTEA NOT NULL,
    used_until BIGINT NOT NULL,
    PRIMARY KEY (kind, subject)
);
CREATE INDEX allowances_expiry ON allowances (used_until);
