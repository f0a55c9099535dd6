-- The zone in which the people of a workspace read and write times: a name of the tz database.
ALTER TABLE workspaces ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
