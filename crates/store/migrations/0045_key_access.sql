-- What a key may do (domain/src/access.rs): its scopes, separated by spaces, and the accounts that it sees, a JSON list of identifiers;
-- NULL is everything. A restricted key is stored under another hash than one that may do everything, so that the version before, which
-- knows no scopes, finds none that it would let do more.
ALTER TABLE keys ADD COLUMN scopes TEXT;
ALTER TABLE keys ADD COLUMN platform_ids TEXT;
-- What a program asks for, and what a person granted: a restricted grant, or one that expires, waits in state 'pending', in which the
-- version before makes no key.
ALTER TABLE device_authorizations ADD COLUMN asked_scopes TEXT;
ALTER TABLE device_authorizations ADD COLUMN granted_scopes TEXT;
ALTER TABLE device_authorizations ADD COLUMN granted_platform_ids TEXT;
ALTER TABLE device_authorizations ADD COLUMN granted_until BIGINT;
