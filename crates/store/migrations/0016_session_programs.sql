-- The program that a session was begun with, as it named itself (User-Agent), cut and without control characters.
ALTER TABLE sessions ADD COLUMN program TEXT;
