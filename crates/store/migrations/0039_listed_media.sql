-- The media of a root post in order, for lists: their identifiers, 16 bytes each. What counts is post_media. A trigger makes this NULL when a row
-- there is removed (store/src/db/triggers.rs). Where it is NULL the rows are read: of posts without media, and of those that a program wrote
-- which does not know this column.
ALTER TABLE posts ADD COLUMN listed_media BYTEA;
