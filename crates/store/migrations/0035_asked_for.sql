-- When a person asked for the post of a job to go out. None did where it goes on by itself, as once its account is connected again.
ALTER TABLE jobs ADD COLUMN asked_at BIGINT;
-- With which settings the posts that a hold had marked before 0034 may be out is not known.
UPDATE posts SET look_hidden = TRUE WHERE look_since IS NOT NULL;
