-- Postbox outbox, tables version 1, H2.
-- Safe to run again. With a schema or a table prefix, put it before every table and index name.

-- Who owns the tables. One set of tables belongs to one service, on any number of nodes.
CREATE TABLE IF NOT EXISTS postbox_schema (
  module     VARCHAR(20)  NOT NULL,
  service    VARCHAR(100) NOT NULL,
  version    INTEGER      NOT NULL,
  partitions INTEGER,
  CONSTRAINT postbox_schema_pk PRIMARY KEY (module)
);

-- One row is one message. seq is made by the database at insert, in one process: it carries the order.
CREATE TABLE IF NOT EXISTS outbox_message (
  partition_no   INTEGER      NOT NULL,
  seq            BIGINT       NOT NULL GENERATED ALWAYS AS IDENTITY,
  id             UUID         NOT NULL,
  destination    VARCHAR(100) NOT NULL,
  ordering_key   VARCHAR(310),
  aggregate_type VARCHAR(100),
  aggregate_id   VARCHAR(200),
  event_type     VARCHAR(200),
  schema_version VARCHAR(50),
  content_type   VARCHAR(100) NOT NULL,
  payload_text   VARCHAR(1048576),
  payload_bytes  VARBINARY(1048576),
  headers        VARCHAR(1048576) NOT NULL,
  status         VARCHAR(7)   NOT NULL DEFAULT 'PENDING',
  attempts       INTEGER      NOT NULL DEFAULT 0,
  due_at         TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_at     TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_error     VARCHAR(1000),
  CONSTRAINT outbox_message_pk PRIMARY KEY (partition_no, seq),
  CONSTRAINT outbox_message_id_uq UNIQUE (id),
  -- Not IN: H2 evaluates its list in the session that made the table, and fails once that is closed.
  CONSTRAINT outbox_message_status_ck CHECK
    (CASE status WHEN 'PENDING' THEN TRUE WHEN 'HELD' THEN TRUE WHEN 'DEAD' THEN TRUE ELSE FALSE END)
);

-- What the relay reads, in the order in which it reads it.
CREATE INDEX IF NOT EXISTS outbox_message_due_ix
  ON outbox_message (partition_no, status, seq);

-- What goes back to work when a held key is released.
CREATE INDEX IF NOT EXISTS outbox_message_held_ix
  ON outbox_message (partition_no, destination, ordering_key, status);

-- The row lock of a partition is the claim on its messages.
CREATE TABLE IF NOT EXISTS outbox_partition (
  partition_no INTEGER NOT NULL,
  CONSTRAINT outbox_partition_pk PRIMARY KEY (partition_no)
);

-- Keys whose first message is in trouble. Written only under the lock of their partition.
CREATE TABLE IF NOT EXISTS outbox_held_key (
  partition_no INTEGER      NOT NULL,
  destination  VARCHAR(100) NOT NULL,
  ordering_key VARCHAR(310) NOT NULL,
  head_id      UUID         NOT NULL,
  since        TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT outbox_held_key_pk PRIMARY KEY (partition_no, destination, ordering_key)
);
