-- Postbox inbox, tables version 1, PostgreSQL.
-- Safe to run again. With a schema or a table prefix, put it before every table and index name.

-- Who owns the tables. One set of tables belongs to one service, on any number of nodes.
CREATE TABLE IF NOT EXISTS postbox_schema (
  module     VARCHAR(20)  NOT NULL,
  service    VARCHAR(100) NOT NULL,
  version    INTEGER      NOT NULL,
  partitions INTEGER,
  CONSTRAINT postbox_schema_pk PRIMARY KEY (module)
);

-- One row is one message that a consumer has handled. It is written, once, by the transaction in
-- which the handler works, before the handler runs: both times are the time of that statement.
CREATE TABLE IF NOT EXISTS inbox_message (
  consumer            VARCHAR(100) COLLATE "C" NOT NULL,
  message_id          VARCHAR(200) COLLATE "C" NOT NULL,
  source              VARCHAR(100),
  received_at         TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  processed_at        TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  fingerprint         BYTEA NOT NULL,
  fingerprint_version INTEGER NOT NULL,
  headers             TEXT NOT NULL,
  CONSTRAINT inbox_message_pk PRIMARY KEY (consumer, message_id),
  CONSTRAINT inbox_message_fingerprint_ck CHECK (octet_length(fingerprint) = 32)
);

-- Deliveries that were kept aside: without a usable id, or with a known id and other content.
CREATE TABLE IF NOT EXISTS inbox_quarantine (
  id                         BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  consumer                   VARCHAR(100) COLLATE "C" NOT NULL,
  message_id                 VARCHAR(200) COLLATE "C",
  reason                     VARCHAR(30) NOT NULL,
  fingerprint                BYTEA NOT NULL,
  fingerprint_version        INTEGER NOT NULL,
  stored_fingerprint         BYTEA,
  stored_fingerprint_version INTEGER,
  body_type                  VARCHAR(10) NOT NULL,
  payload_text               TEXT,
  payload_bytes              BYTEA,
  properties                 TEXT NOT NULL,
  received_at                TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT inbox_quarantine_pk PRIMARY KEY (id)
);

-- What the statistics count.
CREATE INDEX IF NOT EXISTS inbox_quarantine_consumer_ix ON inbox_quarantine (consumer);
