-- Whether the account would not have listed a post that a hold has marked, with its settings of then.
ALTER TABLE posts ADD COLUMN look_hidden BOOLEAN NOT NULL DEFAULT FALSE;
