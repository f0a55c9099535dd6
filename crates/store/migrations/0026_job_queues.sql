-- Each kind of work has a budget of its own, so what is due is looked up by its queue. A node of an earlier version that still
-- runs adds its jobs to the first.

ALTER TABLE jobs ADD COLUMN queue TEXT NOT NULL DEFAULT 'start'
    CHECK (queue IN ('start', 'upload', 'check', 'housekeeping'));
UPDATE jobs SET queue = CASE WHEN kind IN ('resolve_link', 'refresh_platform') THEN 'housekeeping' ELSE 'check' END
    WHERE kind <> 'publish_post' OR checks > 0;
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (queue, due_at, platform_id, workspace_id, id);
