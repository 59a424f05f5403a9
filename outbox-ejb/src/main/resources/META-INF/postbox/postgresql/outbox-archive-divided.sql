-- Postbox outbox, tables version 1, PostgreSQL: the archive divided by time, for
-- postbox.outbox.archive-partitions=daily or monthly. Run it before outbox.sql, which then leaves it
-- alone. The outbox makes and drops the parts itself, so its user has to own this table.
CREATE TABLE IF NOT EXISTS outbox_archive (
  ended_at        TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
  seq             BIGINT       NOT NULL,
  outcome         VARCHAR(9) COLLATE "C" NOT NULL,
  partition_no    INTEGER      NOT NULL,
  id              UUID         NOT NULL,
  destination     VARCHAR(100) COLLATE "C" NOT NULL,
  ordering_key    VARCHAR(310) COLLATE "C",
  aggregate_type  VARCHAR(100) COLLATE "C",
  aggregate_id    VARCHAR(200) COLLATE "C",
  data_subject    VARCHAR(50) COLLATE "C",
  event_type      VARCHAR(200),
  schema_version  VARCHAR(50),
  content_type    VARCHAR(100) NOT NULL,
  payload_text    TEXT,
  payload_bytes   BYTEA,
  reference_table VARCHAR(100),
  reference_id    VARCHAR(200),
  payload_sha256  BYTEA,
  payload_key     VARCHAR(100),
  headers         TEXT NOT NULL,
  trace_parent    VARCHAR(100),
  attempts        INTEGER      NOT NULL,
  created_at      TIMESTAMPTZ  NOT NULL,
  last_error      VARCHAR(10000),
  signature       VARCHAR(32) COLLATE "C",
  erased_at       TIMESTAMPTZ,
  CONSTRAINT outbox_archive_pk PRIMARY KEY (ended_at, seq),
  CONSTRAINT outbox_archive_outcome_ck CHECK (outcome IN ('SENT', 'DISCARDED'))
) PARTITION BY RANGE (ended_at);
