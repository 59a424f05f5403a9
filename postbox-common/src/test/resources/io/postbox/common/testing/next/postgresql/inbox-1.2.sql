-- Postbox inbox, from tables version 1.1 to 1.2, PostgreSQL: for tests.
ALTER TABLE inbox_region ADD COLUMN IF NOT EXISTS note VARCHAR(100);
UPDATE postbox_schema SET minor_version = 2
  WHERE module = 'inbox' AND version = 1 AND minor_version = 1;
