-- The name of the note from which an unfinished upload goes on, where the storage is a bucket (media/src/bucket/object.rs).
ALTER TABLE media ADD COLUMN upload_note TEXT;
