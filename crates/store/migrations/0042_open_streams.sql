-- How many streams of events a person or a workspace has open at a node, as of its last word; it counts until a time, which the node puts off.
CREATE TABLE open_streams (
    holder BYTEA NOT NULL,
    node TEXT NOT NULL,
    streams BIGINT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (holder, node)
);
