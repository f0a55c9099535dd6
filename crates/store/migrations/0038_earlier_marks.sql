-- Whether a hold before the last one has marked the post, so that its mark stays when the last one is released.
ALTER TABLE posts ADD COLUMN look_stays BOOLEAN NOT NULL DEFAULT FALSE;
