-- Files of media that were deleted. A row is written with the deletion and goes when the files are gone for certain.
CREATE TABLE removed_files (
    storage_key TEXT NOT NULL PRIMARY KEY,
    removed_at BIGINT NOT NULL
);
