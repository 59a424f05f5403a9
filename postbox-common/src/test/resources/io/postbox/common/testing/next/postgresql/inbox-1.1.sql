-- Postbox inbox, from tables version 1.0 to 1.1, PostgreSQL: for tests, with all that a minor version may add.
ALTER TABLE inbox_message ADD COLUMN IF NOT EXISTS region VARCHAR(20);
ALTER TABLE inbox_stored ADD COLUMN IF NOT EXISTS looked_at INTEGER NOT NULL DEFAULT 0;
CREATE TABLE IF NOT EXISTS inbox_region (
  name VARCHAR(20) NOT NULL,
  CONSTRAINT inbox_region_pk PRIMARY KEY (name)
);
CREATE INDEX IF NOT EXISTS inbox_message_region_ix
  ON inbox_message (region) WHERE region IS NOT NULL;
UPDATE postbox_schema SET minor_version = 1
  WHERE module = 'inbox' AND version = 1 AND minor_version = 0;
