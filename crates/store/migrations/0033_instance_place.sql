-- Which table `instance` is that was last written to, by its OID; always 0 on SQLite, NULL until a service has noted it. A dump that is
-- loaded into the same database makes another table. `playoutd backup` leaves the row out of its dump: without it, the database is that of
-- a backup. A table of its own, because programs of the release before compare `instance.home` as it is, and pg_dump leaves out whole
-- tables only. Where a dump of an earlier release is loaded over it with --clean, the table stays, and shows that.
CREATE TABLE IF NOT EXISTS instance_place (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    table_oid BIGINT
);
INSERT INTO instance_place (id) VALUES (1) ON CONFLICT (id) DO NOTHING;
