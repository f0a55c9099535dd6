-- The version of the tokens whose refresh token the provider has refused, if that is why the account must be reconnected.
ALTER TABLE platforms ADD COLUMN refused_token_version BIGINT;
