-- Webhooks: the secret that was replaced, why one is switched off, and what came of the tries of a delivery.

ALTER TABLE webhooks ADD COLUMN previous_secret BYTEA;
ALTER TABLE webhooks ADD COLUMN previous_until BIGINT;
ALTER TABLE webhooks ADD COLUMN disabled_reason TEXT CHECK (disabled_reason IN ('paused', 'failing', 'gone'));

ALTER TABLE webhook_deliveries ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
ALTER TABLE webhook_deliveries ADD COLUMN attempted_at BIGINT;
ALTER TABLE webhook_deliveries ADD COLUMN deadline_at BIGINT;
ALTER TABLE webhook_deliveries ADD COLUMN problem TEXT;

DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, webhook_id) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;
