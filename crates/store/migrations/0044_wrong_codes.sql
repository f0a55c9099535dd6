-- When a person typed a wrong user code of a device, counted for all nodes; it is of no use after ten minutes (domain/src/device.rs).
CREATE TABLE wrong_codes (
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    at BIGINT NOT NULL
);
CREATE INDEX wrong_codes_user ON wrong_codes (user_id, at);
