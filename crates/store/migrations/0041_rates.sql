-- What is left to callers of what they may call, counted for all nodes: in parts of a call (domain/src/rate.rs), as of a time. A caller who has no row
-- has all of it.
CREATE TABLE rates (
    kind TEXT NOT NULL,
    subject BYTEA NOT NULL,
    -- The rate: parts that a microsecond adds, that a call costs, and that there are at most.
    quota BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    most BIGINT NOT NULL,
    parts BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (kind, subject)
);
