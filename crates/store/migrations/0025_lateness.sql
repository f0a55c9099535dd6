-- Posts that are found overdue.

-- A person is asked about posts that are found later than this, in microseconds; NULL: they are always published.
ALTER TABLE workspaces ADD COLUMN ask_after BIGINT DEFAULT 86400000000;

-- planned_at is when a job was due first, before any retry; NULL: run_at. first_claimed_at is set by the first claim, from which
-- deadline_at counts for the jobs of posts. Jobs that were claimed before have counted it from when they were due.
ALTER TABLE jobs ADD COLUMN planned_at BIGINT;
ALTER TABLE jobs ADD COLUMN first_claimed_at BIGINT;
UPDATE jobs SET first_claimed_at = deadline_at - 86400000000 WHERE post_id IS NOT NULL
    AND (leased_until IS NOT NULL OR failures > 0 OR checks > 0 OR run_at > deadline_at - 86400000000);

-- A post that waits because it was found overdue has this set beside waiting = 'account_unavailable': SQLite cannot change the words
-- that waiting may hold, and the version before reads no other. The same follows from both: a person decides.
ALTER TABLE posts ADD COLUMN is_overdue BOOLEAN NOT NULL DEFAULT FALSE;
