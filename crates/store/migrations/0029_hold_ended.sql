-- When the last hold ended. For some days after it the provider may report what this database has forgotten.
ALTER TABLE instance ADD COLUMN hold_ended_at BIGINT;
