-- Postbox outbox, from tables version 1.0 to 1.1, H2: for tests, with all that a minor version may add.
ALTER TABLE outbox_message ADD COLUMN IF NOT EXISTS region VARCHAR(20);
ALTER TABLE outbox_archive ADD COLUMN IF NOT EXISTS looked_at INTEGER NOT NULL DEFAULT 0;
CREATE TABLE IF NOT EXISTS outbox_region (
  name VARCHAR(20) NOT NULL,
  CONSTRAINT outbox_region_pk PRIMARY KEY (name)
);
CREATE INDEX IF NOT EXISTS outbox_message_region_ix
  ON outbox_message (region);
UPDATE postbox_schema SET minor_version = 1
  WHERE module = 'outbox' AND version = 1 AND minor_version = 0;
