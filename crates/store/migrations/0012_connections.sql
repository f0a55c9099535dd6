-- Which of its provider's connections an account has. Each has an app of its own at the provider, and so tokens and
-- identifiers of its own: what is authorised, stored and given back belongs to one of them.
ALTER TABLE platforms ADD COLUMN connection TEXT NOT NULL DEFAULT 'creator'
    CHECK (connection IN ('creator', 'business'));
ALTER TABLE authorizations ADD COLUMN connection TEXT NOT NULL DEFAULT 'creator'
    CHECK (connection IN ('creator', 'business'));
ALTER TABLE revocations ADD COLUMN connection TEXT NOT NULL DEFAULT 'creator'
    CHECK (connection IN ('creator', 'business'));
