-- Postbox inbox, tables version 1, PostgreSQL: the handled messages divided by the day in their ids,
-- for postbox.inbox.table-partitioning=daily. Run it before inbox.sql, which then leaves it alone; leave
-- inbox_message_processed_ix out of that, which nothing here would use. The inbox
-- makes and drops the tables of the days itself, so its user has to own this one.
CREATE TABLE IF NOT EXISTS inbox_message (
  consumer            VARCHAR(100) COLLATE "C" NOT NULL,
  message_id          VARCHAR(200) COLLATE "C" NOT NULL,
  source              VARCHAR(100),
  received_at         TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  processed_at        TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  fingerprint         BYTEA NOT NULL,
  fingerprint_version INTEGER NOT NULL,
  headers             TEXT NOT NULL,
  data_subject        VARCHAR(50) COLLATE "C",
  outcome             VARCHAR(10) COLLATE "C" NOT NULL DEFAULT 'PROCESSED',
  CONSTRAINT inbox_message_pk PRIMARY KEY (consumer, message_id),
  CONSTRAINT inbox_message_fingerprint_ck CHECK (octet_length(fingerprint) = 32)
) PARTITION BY RANGE (message_id);
