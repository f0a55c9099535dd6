-- The text of a root post as searches compare it: in one normal form and one case (store/src/posts/folded.rs). NULL where lowering the letters of
-- ASCII does that, or where a program wrote the text that does not know this column: it is filled in beside the service.
ALTER TABLE posts ADD COLUMN folded TEXT;
