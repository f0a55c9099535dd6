-- Workspaces take turns at being sent to: what is due is read with its workspace, without a look at each row.

DROP INDEX webhook_deliveries_due;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, webhook_id, workspace_id) WHERE state = 'pending';
