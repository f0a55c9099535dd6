-- Which programs may run on this schema: those that know the migration of this number, or a newer one. A migration that takes
-- away what the release before it uses raises it to its own number.
CREATE TABLE compatibility (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    oldest BIGINT NOT NULL
);
INSERT INTO compatibility (id, oldest) VALUES (1, 1);
