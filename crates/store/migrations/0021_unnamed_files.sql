-- Files in the storage that no row names, as the last listing of the storage found them. file_key is the file, storage_key
-- that of the media object to which it belongs by its name; found_at is the first of all listings in a row that found it,
-- seen_at the last. A file is removed some days after found_at.
CREATE TABLE unnamed_files (
    file_key TEXT NOT NULL PRIMARY KEY,
    storage_key TEXT NOT NULL,
    found_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);
