-- Postbox outbox, tables version 1.0, H2.
-- Safe to run again. With a schema or a table prefix, put it before every table and index name.

-- The owner of the tables, and their version. One set of tables belongs to one service, on any number of nodes.
-- A minor version only adds what nodes of the releases before can do without.
CREATE TABLE IF NOT EXISTS postbox_schema (
  module        VARCHAR(20)  NOT NULL,
  service       VARCHAR(100) NOT NULL,
  version       INTEGER      NOT NULL,
  minor_version INTEGER      NOT NULL DEFAULT 0,
  partitions    INTEGER,
  CONSTRAINT postbox_schema_pk PRIMARY KEY (module)
);

-- The key (one row, 32 bytes, made at the first start) from which the ids are made that Artemis knows
-- repeats by, and with which the service signs plans. A reader of the key can forge both: can have the
-- broker refuse messages that it has not seen yet, and operators' plans show what they do not touch.
-- Without the row, a message may be sent once more than was needed, and plans have to be made anew.
CREATE TABLE IF NOT EXISTS outbox_secret (
  id     INTEGER NOT NULL,
  secret VARBINARY(32) NOT NULL,
  CONSTRAINT outbox_secret_pk PRIMARY KEY (id)
);

-- One row is one message. seq is made by the database at insert, in one process: it carries the order.
-- PENDING: to be sent as soon as it is its turn. DELAYED: not before due_at. HELD: behind a failed
-- message of its key. DEAD: kept until a person decides. SENT: kept for its retention.
CREATE TABLE IF NOT EXISTS outbox_message (
  partition_no    INTEGER      NOT NULL,
  seq             BIGINT       NOT NULL GENERATED ALWAYS AS IDENTITY,
  id              UUID         NOT NULL,
  destination     VARCHAR(100) NOT NULL,
  ordering_key    VARCHAR(310),
  aggregate_type  VARCHAR(100),
  aggregate_id    VARCHAR(200),
  -- The person whom the message is about: a keyed digest of the application's name for them, for erasure.
  data_subject    VARCHAR(50),
  event_type      VARCHAR(200),
  schema_version  VARCHAR(50),
  content_type    VARCHAR(100) NOT NULL,
  payload_text    VARCHAR(1048576),
  payload_bytes   VARBINARY(1048576),
  -- Where the payload is to be loaded from, and the SHA-256 of what was loaded first.
  reference_table VARCHAR(100),
  reference_id    VARCHAR(200),
  payload_sha256  VARBINARY(32),
  -- Which key the payload is encrypted with; it is then in payload_bytes.
  payload_key     VARCHAR(100),
  headers         VARCHAR(1048576) NOT NULL,
  trace_parent    VARCHAR(100),
  status          VARCHAR(7)   NOT NULL DEFAULT 'PENDING',
  attempts        INTEGER      NOT NULL DEFAULT 0,
  due_at          TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at      TIMESTAMP WITH TIME ZONE,
  created_at      TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  sent_at         TIMESTAMP WITH TIME ZONE,
  -- Since when a sent message has no content any more.
  erased_at       TIMESTAMP WITH TIME ZONE,
  -- Up to 1,000 characters; encrypted it takes more.
  last_error      VARCHAR(10000),
  -- The same for all errors of one cause, for grouping.
  signature       VARCHAR(32),
  -- The size of the row's payload and headers, in octets. Made by the database, so that no
  -- row is without it. The relay bounds each read by it.
  row_bytes       INTEGER GENERATED ALWAYS AS
    (COALESCE(OCTET_LENGTH(payload_text), 0) + COALESCE(OCTET_LENGTH(payload_bytes), 0)
     + OCTET_LENGTH(headers)),
  CONSTRAINT outbox_message_pk PRIMARY KEY (partition_no, seq),
  CONSTRAINT outbox_message_id_uq UNIQUE (id),
  -- Not IN: H2 evaluates its list in the session that made the table, and fails once that is closed.
  CONSTRAINT outbox_message_status_ck CHECK
    (CASE status WHEN 'PENDING' THEN TRUE WHEN 'HELD' THEN TRUE WHEN 'DELAYED' THEN TRUE
                 WHEN 'SENT' THEN TRUE WHEN 'DEAD' THEN TRUE ELSE FALSE END)
);

-- The rows that the relay reads, in its order, with their sizes: otherwise H2 reads whole rows.
CREATE INDEX IF NOT EXISTS outbox_message_due_ix
  ON outbox_message (status, partition_no, destination, seq, row_bytes);

-- The delayed messages that are due next.
CREATE INDEX IF NOT EXISTS outbox_message_delayed_ix
  ON outbox_message (status, due_at);

-- The messages that go back to work when a held key is released, slice by slice.
CREATE INDEX IF NOT EXISTS outbox_message_held_ix
  ON outbox_message (status, partition_no, destination, ordering_key, seq);

-- Dead letters, page by page.
CREATE INDEX IF NOT EXISTS outbox_message_dead_ix
  ON outbox_message (status, seq);

-- Sent messages past their retention.
CREATE INDEX IF NOT EXISTS outbox_message_sent_ix
  ON outbox_message (status, sent_at);

-- The row lock of a partition is the claim on its messages. put_back counts how often messages went
-- back to work there that had been taken out of it, so that no reader starts behind them.
CREATE TABLE IF NOT EXISTS outbox_partition (
  partition_no INTEGER NOT NULL,
  put_back     BIGINT  NOT NULL DEFAULT 0,
  CONSTRAINT outbox_partition_pk PRIMARY KEY (partition_no)
);

-- Keys blocked by a failed first message. Written only under the lock of their partition. A key with
-- many followers is released in slices: while it drains, the head is the last message of the slice
-- that has gone back to work, released_to is its seq, and what is behind that waits.
CREATE TABLE IF NOT EXISTS outbox_held_key (
  partition_no INTEGER      NOT NULL,
  destination  VARCHAR(100) NOT NULL,
  ordering_key VARCHAR(310) NOT NULL,
  head_id      UUID         NOT NULL,
  released_to  BIGINT       NOT NULL DEFAULT 0,
  since        TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT outbox_held_key_pk PRIMARY KEY (partition_no, destination, ordering_key)
);

-- The failures of a message: the attempts that were charged to it, and its expiry. Written by the
-- transaction that charges it. A row outlives its message, and is deleted after the retention. Of each
-- message the first failure is in slot 0, and the last ten are in the slots 1 to 10, which they take in
-- turn, so that no message has more than eleven rows. failure_no counts them all, attempt begins anew
-- with a redrive. error: up to 1,000 characters; encrypted it takes more. frame: the innermost call of
-- the application. signature: the same for all errors of one cause, for grouping.
CREATE TABLE IF NOT EXISTS outbox_failure (
  message_id  UUID         NOT NULL,
  slot        INTEGER      NOT NULL,
  failure_no  INTEGER      NOT NULL,
  destination VARCHAR(100) NOT NULL,
  attempt     INTEGER      NOT NULL,
  dead        BOOLEAN      NOT NULL,
  node        VARCHAR(100) NOT NULL,
  error_class VARCHAR(300) NOT NULL,
  frame       VARCHAR(300) NOT NULL,
  error       VARCHAR(10000) NOT NULL,
  signature   VARCHAR(32)  NOT NULL,
  aggregate_type VARCHAR(100),
  aggregate_id VARCHAR(200),
  data_subject VARCHAR(50),
  failed_at   TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT outbox_failure_pk PRIMARY KEY (message_id, slot)
);
CREATE INDEX IF NOT EXISTS outbox_failure_signature_ix ON outbox_failure (signature, failed_at);
CREATE INDEX IF NOT EXISTS outbox_failure_failed_ix ON outbox_failure (failed_at);

-- Finished messages, kept for their retention: sent ones with after-sending=archive, and those that
-- an operator discarded.
CREATE TABLE IF NOT EXISTS outbox_archive (
  ended_at        TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  seq             BIGINT       NOT NULL,
  outcome         VARCHAR(9)   NOT NULL,
  partition_no    INTEGER      NOT NULL,
  id              UUID         NOT NULL,
  destination     VARCHAR(100) NOT NULL,
  ordering_key    VARCHAR(310),
  aggregate_type  VARCHAR(100),
  aggregate_id    VARCHAR(200),
  data_subject    VARCHAR(50),
  event_type      VARCHAR(200),
  schema_version  VARCHAR(50),
  content_type    VARCHAR(100) NOT NULL,
  payload_text    VARCHAR(1048576),
  payload_bytes   VARBINARY(1048576),
  reference_table VARCHAR(100),
  reference_id    VARCHAR(200),
  payload_sha256  VARBINARY(32),
  payload_key     VARCHAR(100),
  headers         VARCHAR(1048576) NOT NULL,
  trace_parent    VARCHAR(100),
  attempts        INTEGER      NOT NULL,
  created_at      TIMESTAMP WITH TIME ZONE  NOT NULL,
  last_error      VARCHAR(10000),
  signature       VARCHAR(32),
  -- Since when it has no content any more.
  erased_at       TIMESTAMP WITH TIME ZONE,
  CONSTRAINT outbox_archive_pk PRIMARY KEY (ended_at, seq),
  CONSTRAINT outbox_archive_outcome_ck CHECK
    (CASE outcome WHEN 'SENT' THEN TRUE WHEN 'DISCARDED' THEN TRUE ELSE FALSE END)
);

-- Destinations whose messages wait because an operator said so; '*' stands for all.
CREATE TABLE IF NOT EXISTS outbox_switch (
  destination VARCHAR(100) NOT NULL,
  reason      VARCHAR(1000) NOT NULL,
  principal   VARCHAR(200) NOT NULL,
  since       TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT outbox_switch_pk PRIMARY KEY (destination)
);

-- Redirects by operators: messages enqueued for destination go to target, as long as the row is there. They
-- stay in their lane, so their order and their place in it stay as they are.
CREATE TABLE IF NOT EXISTS outbox_redirect (
  destination VARCHAR(100) NOT NULL,
  target      VARCHAR(100) NOT NULL,
  reason      VARCHAR(1000) NOT NULL,
  principal   VARCHAR(200) NOT NULL,
  since       TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT outbox_redirect_pk PRIMARY KEY (destination)
);

-- Operators' settings in place of the configuration's keys of one destination, as long as the row is there; a
-- null leaves its key as configured. Each node reads all rows every few seconds.
CREATE TABLE IF NOT EXISTS outbox_policy (
  destination      VARCHAR(100)  NOT NULL,
  max_attempts     INTEGER,
  backoff_first_ms BIGINT,
  backoff_max_ms   BIGINT,
  on_dead_letter   VARCHAR(8),
  reason           VARCHAR(1000) NOT NULL,
  principal        VARCHAR(200)  NOT NULL,
  since            TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT outbox_policy_pk PRIMARY KEY (destination),
  CONSTRAINT outbox_policy_attempts_ck CHECK (max_attempts BETWEEN 1 AND 1000000),
  CONSTRAINT outbox_policy_backoff_ck CHECK
    (backoff_first_ms BETWEEN 1 AND 86400000 AND backoff_max_ms BETWEEN 1 AND 86400000
     AND backoff_first_ms <= backoff_max_ms),
  CONSTRAINT outbox_policy_on_dead_letter_ck CHECK 
    (CASE on_dead_letter WHEN 'HOLD' THEN TRUE WHEN 'CONTINUE' THEN TRUE ELSE on_dead_letter IS NULL END)
);

-- The last count of the messages, made by one node for all. The row lock of CLAIM, of which there is one
-- row, is the claim on counting: since is there when the last count began, and due_at when the next may.
-- history, there: the counts of the last hour as JSON, of the console.
CREATE TABLE IF NOT EXISTS outbox_count (
  kind        VARCHAR(7)   NOT NULL,
  destination VARCHAR(100) NOT NULL,
  messages    BIGINT       NOT NULL,
  estimated   BOOLEAN      NOT NULL,
  since       TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  due_at      TIMESTAMP WITH TIME ZONE,
  history     VARCHAR(65536),
  CONSTRAINT outbox_count_pk PRIMARY KEY (kind, destination)
);

-- One row is one node: its last report, renewed every few seconds (alive_at) and deleted at an orderly stop.
-- A row that nobody renews is that of a node that died, or is frozen or cut off; it is deleted after a day.
-- details: a JSON object, whose times are milliseconds before alive_at; errors in it are encrypted where the
-- application has a PayloadCipher.
CREATE TABLE IF NOT EXISTS outbox_node (
  node       VARCHAR(100) NOT NULL,
  host       VARCHAR(100) NOT NULL,
  version    VARCHAR(50)  NOT NULL,
  started_at TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  alive_at   TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  details    VARCHAR(1048576) NOT NULL,
  CONSTRAINT outbox_node_pk PRIMARY KEY (node)
);

-- Actions that operators have started and that go on in the background, with their progress. The row lock is
-- the claim on the next step, whose transaction also saves the progress. Of those that are RUNNING the one
-- with the earliest turn_at goes on. plan: a JSON object that says what to do. progress: one that says where
-- to go on. note: why it stopped by itself. finished_at: since when it is over, for its retention.
CREATE TABLE IF NOT EXISTS outbox_action (
  id          UUID          NOT NULL,
  action      VARCHAR(30)   NOT NULL,
  state       VARCHAR(9)    NOT NULL,
  principal   VARCHAR(200)  NOT NULL,
  reason      VARCHAR(1000) NOT NULL,
  subject     VARCHAR(2000) NOT NULL,
  total       BIGINT        NOT NULL,
  done        BIGINT        NOT NULL DEFAULT 0,
  failures    BIGINT        NOT NULL DEFAULT 0,
  note        VARCHAR(1000),
  plan        VARCHAR(1048576) NOT NULL,
  progress    VARCHAR(1048576) NOT NULL,
  started_at  TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP,
  changed_at  TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP,
  turn_at     TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at TIMESTAMP WITH TIME ZONE,
  CONSTRAINT outbox_action_pk PRIMARY KEY (id),
  CONSTRAINT outbox_action_state_ck CHECK
    (CASE state WHEN 'PLANNED' THEN TRUE WHEN 'RUNNING' THEN TRUE WHEN 'PAUSED' THEN TRUE
                WHEN 'DONE' THEN TRUE WHEN 'CANCELLED' THEN TRUE WHEN 'FAILED' THEN TRUE
                ELSE FALSE END)
);
CREATE INDEX IF NOT EXISTS outbox_action_turn_ix ON outbox_action (state, turn_at, id);
CREATE INDEX IF NOT EXISTS outbox_action_started_ix ON outbox_action (started_at, id);
CREATE INDEX IF NOT EXISTS outbox_action_finished_ix ON outbox_action (finished_at);

-- Operators' actions, with their reasons. An outbox and an inbox in one schema share the table.
CREATE TABLE IF NOT EXISTS postbox_audit (
  id        UUID          NOT NULL,
  at        TIMESTAMP WITH TIME ZONE  NOT NULL DEFAULT CURRENT_TIMESTAMP,
  module    VARCHAR(20)   NOT NULL,
  service   VARCHAR(100)  NOT NULL,
  action    VARCHAR(30)   NOT NULL,
  principal VARCHAR(200)  NOT NULL,
  reason    VARCHAR(1000) NOT NULL,
  subject   VARCHAR(2000) NOT NULL,
  messages  BIGINT        NOT NULL,
  CONSTRAINT postbox_audit_pk PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS postbox_audit_at_ix ON postbox_audit (at);
