-- Which key and which storage belong to this database, and where the database itself was when it was last written to: a node
-- to which key or storage do not fit serves nothing, and a database that is a copy publishes nothing before it was asked what
-- went out since the copy was made.
ALTER TABLE instance ADD COLUMN canary BYTEA;
ALTER TABLE instance ADD COLUMN storage_id UUID;
ALTER TABLE instance ADD COLUMN home TEXT;
-- Rises at each start and every ten seconds; also kept outside the database.
ALTER TABLE instance ADD COLUMN pulse BIGINT NOT NULL DEFAULT 0;
ALTER TABLE instance ADD COLUMN pulse_at BIGINT;

-- The hold: while held_at is set nothing is published. What happened after held_since may be unknown to this database.
ALTER TABLE instance ADD COLUMN held_at BIGINT;
ALTER TABLE instance ADD COLUMN held_since BIGINT;
ALTER TABLE instance ADD COLUMN held_because TEXT;

-- A post that may have come out after this time without this database's knowledge, and when that was last looked for.
ALTER TABLE posts ADD COLUMN look_since BIGINT;
ALTER TABLE posts ADD COLUMN looked_at BIGINT;
-- The index posts_to_look_for is built after the migrations: src/indexes.rs.
