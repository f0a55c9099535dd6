-- Until when a node looks into an upload whose bytes are all in, where the storage does not keep others from doing so.
ALTER TABLE media ADD COLUMN finishing_until BIGINT;
