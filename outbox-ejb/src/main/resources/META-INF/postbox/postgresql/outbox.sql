-- Postbox outbox, tables version 1.0, PostgreSQL.
-- Safe to run again. With a schema or a table prefix, put it before every table and index name.

-- The owner of the tables, and their version. One set of tables belongs to one service, on any number of nodes.
-- A minor version only adds what nodes of the releases before can do without.
CREATE TABLE IF NOT EXISTS postbox_schema (
  module        VARCHAR(20) COLLATE "C" NOT NULL,
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
  secret BYTEA NOT NULL,
  CONSTRAINT outbox_secret_pk PRIMARY KEY (id)
);

-- Rows leave as fast as they come. By the defaults a table that keeps what was sent would be vacuumed
-- once a fifth of it is dead, which may be weeks, and the relay would read past dead index entries
-- until then; so it is vacuumed by the number of rows that left, and without pauses. Pages are filled:
-- a change of status is in an index, so no free place beside the row would help it.
-- One row is one message. seq is made by the database at insert and never cached: it carries the order.
-- PENDING: to be sent as soon as it is its turn. DELAYED: not before due_at. HELD: behind a failed
-- message of its key. DEAD: kept until a person decides. SENT: kept for its retention.
CREATE TABLE IF NOT EXISTS outbox_message (
  partition_no    INTEGER      NOT NULL,
  seq             BIGINT       NOT NULL GENERATED ALWAYS AS IDENTITY (CACHE 1),
  id              UUID         NOT NULL,
  destination     VARCHAR(100) COLLATE "C" NOT NULL,
  ordering_key    VARCHAR(310) COLLATE "C",
  aggregate_type  VARCHAR(100) COLLATE "C",
  aggregate_id    VARCHAR(200) COLLATE "C",
  -- The person whom the message is about: a keyed digest of the application's name for them, for erasure.
  data_subject    VARCHAR(50) COLLATE "C",
  event_type      VARCHAR(200),
  schema_version  VARCHAR(50),
  content_type    VARCHAR(100) NOT NULL,
  payload_text    TEXT,
  payload_bytes   BYTEA,
  -- Where the payload is to be loaded from, and the SHA-256 of what was loaded first.
  reference_table VARCHAR(100),
  reference_id    VARCHAR(200),
  payload_sha256  BYTEA,
  -- Which key the payload is encrypted with; it is then in payload_bytes.
  payload_key     VARCHAR(100),
  headers         TEXT NOT NULL,
  trace_parent    VARCHAR(100),
  status          VARCHAR(7) COLLATE "C" NOT NULL DEFAULT 'PENDING',
  attempts        INTEGER      NOT NULL DEFAULT 0,
  due_at          TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
  expires_at      TIMESTAMPTZ,
  created_at      TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
  sent_at         TIMESTAMPTZ,
  -- Since when a sent message has no content any more.
  erased_at       TIMESTAMPTZ,
  -- Up to 1,000 characters; encrypted it takes more.
  last_error      VARCHAR(10000),
  -- The same for all errors of one cause, for grouping.
  signature       VARCHAR(32) COLLATE "C",
  -- The size of the row's payload and headers, in octets. Made by the database, so that no
  -- row is without it. The relay bounds each read by it.
  row_bytes       INTEGER GENERATED ALWAYS AS
    (COALESCE(OCTET_LENGTH(payload_text), 0) + COALESCE(OCTET_LENGTH(payload_bytes), 0)
     + OCTET_LENGTH(headers)) STORED,
  CONSTRAINT outbox_message_pk PRIMARY KEY (partition_no, seq),
  CONSTRAINT outbox_message_id_uq UNIQUE (id),
  CONSTRAINT outbox_message_status_ck CHECK (status IN ('PENDING', 'HELD', 'DELAYED', 'SENT', 'DEAD'))
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
    autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- The rows that the relay reads, in its order.
CREATE INDEX IF NOT EXISTS outbox_message_due_ix
  ON outbox_message (partition_no, destination, seq) WHERE status = 'PENDING';

-- The delayed messages that are due next.
CREATE INDEX IF NOT EXISTS outbox_message_delayed_ix
  ON outbox_message (due_at) WHERE status = 'DELAYED';

-- The messages that go back to work when a held key is released, slice by slice.
CREATE INDEX IF NOT EXISTS outbox_message_held_ix
  ON outbox_message (partition_no, destination, ordering_key, seq) WHERE status = 'HELD';

-- Dead letters, page by page, of all destinations or one.
CREATE INDEX IF NOT EXISTS outbox_message_dead_ix
  ON outbox_message (seq) WHERE status = 'DEAD';
CREATE INDEX IF NOT EXISTS outbox_message_dead_destination_ix
  ON outbox_message (destination, seq) WHERE status = 'DEAD';

-- The other dead letters of a key, when the first of them goes.
CREATE INDEX IF NOT EXISTS outbox_message_dead_key_ix
  ON outbox_message (partition_no, destination, ordering_key) WHERE status = 'DEAD';

-- Messages that failed for one cause: dead letters, and those that wait for their retry. No message is in
-- them before its first failure.
CREATE INDEX IF NOT EXISTS outbox_message_dead_signature_ix
  ON outbox_message (signature, seq) WHERE status = 'DEAD' AND signature IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_message_delayed_signature_ix
  ON outbox_message (signature, seq) WHERE status = 'DELAYED' AND signature IS NOT NULL;

-- Sent messages past their retention.
CREATE INDEX IF NOT EXISTS outbox_message_sent_ix
  ON outbox_message (sent_at) WHERE status = 'SENT';

-- For people's searches: messages about an aggregate, or with an ordering key. No message is in them
-- while it is pending. IS TRUE keeps them to the statements that say the same, and so away from the relay's.
CREATE INDEX IF NOT EXISTS outbox_message_aggregate_ix
  ON outbox_message (aggregate_id, aggregate_type, seq)
  WHERE (status <> 'PENDING') IS TRUE AND aggregate_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_message_key_ix
  ON outbox_message (ordering_key, seq)
  WHERE (status <> 'PENDING') IS TRUE AND ordering_key IS NOT NULL;

-- Messages about a person, in any state, for erasure. No message is in it that names nobody.
CREATE INDEX IF NOT EXISTS outbox_message_subject_ix
  ON outbox_message (data_subject, partition_no, seq) WHERE data_subject IS NOT NULL;

-- The row lock of a partition is the claim on its messages. put_back counts how often messages went
-- back to work there that had been taken out of it, so that no reader starts behind them. Few rows that
-- change often: each page keeps place for their next versions, which then need no entry in the index.
CREATE TABLE IF NOT EXISTS outbox_partition (
  partition_no INTEGER NOT NULL,
  put_back     BIGINT  NOT NULL DEFAULT 0,
  CONSTRAINT outbox_partition_pk PRIMARY KEY (partition_no)
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Keys blocked by a failed first message. Written only under the lock of their partition. A key with
-- many followers is released in slices: while it drains, the head is the last message of the slice
-- that has gone back to work, released_to is its seq, and what is behind that waits.
CREATE TABLE IF NOT EXISTS outbox_held_key (
  partition_no INTEGER      NOT NULL,
  destination  VARCHAR(100) COLLATE "C" NOT NULL,
  ordering_key VARCHAR(310) COLLATE "C" NOT NULL,
  head_id      UUID         NOT NULL,
  released_to  BIGINT       NOT NULL DEFAULT 0,
  since        TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_held_key_pk PRIMARY KEY (partition_no, destination, ordering_key)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

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
  destination VARCHAR(100) COLLATE "C" NOT NULL,
  attempt     INTEGER      NOT NULL,
  dead        BOOLEAN      NOT NULL,
  node        VARCHAR(100) COLLATE "C" NOT NULL,
  error_class VARCHAR(300) NOT NULL,
  frame       VARCHAR(300) NOT NULL,
  error       VARCHAR(10000) NOT NULL,
  signature   VARCHAR(32) COLLATE "C" NOT NULL,
  aggregate_type VARCHAR(100) COLLATE "C",
  aggregate_id VARCHAR(200) COLLATE "C",
  data_subject VARCHAR(50) COLLATE "C",
  failed_at   TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_failure_pk PRIMARY KEY (message_id, slot)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX IF NOT EXISTS outbox_failure_signature_ix ON outbox_failure (signature, failed_at);
CREATE INDEX IF NOT EXISTS outbox_failure_failed_ix ON outbox_failure (failed_at);
CREATE INDEX IF NOT EXISTS outbox_failure_aggregate_ix
  ON outbox_failure (aggregate_id, aggregate_type, message_id, slot) WHERE aggregate_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_failure_subject_ix
  ON outbox_failure (data_subject, message_id, slot) WHERE data_subject IS NOT NULL;

-- Finished messages, kept for their retention: sent ones with after-sending=archive, and those that
-- an operator discarded.
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
  -- Since when it has no content any more.
  erased_at       TIMESTAMPTZ,
  CONSTRAINT outbox_archive_pk PRIMARY KEY (ended_at, seq),
  CONSTRAINT outbox_archive_outcome_ck CHECK (outcome IN ('SENT', 'DISCARDED'))
);

-- For people's searches.
CREATE INDEX IF NOT EXISTS outbox_archive_id_ix ON outbox_archive (id);
CREATE INDEX IF NOT EXISTS outbox_archive_aggregate_ix
  ON outbox_archive (aggregate_id, aggregate_type, seq) WHERE aggregate_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_archive_key_ix
  ON outbox_archive (ordering_key, seq) WHERE ordering_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_archive_subject_ix
  ON outbox_archive (data_subject, seq) WHERE data_subject IS NOT NULL;
CREATE INDEX IF NOT EXISTS outbox_archive_signature_ix
  ON outbox_archive (signature, seq) WHERE signature IS NOT NULL;

-- Destinations whose messages wait because an operator said so; '*' stands for all.
CREATE TABLE IF NOT EXISTS outbox_switch (
  destination VARCHAR(100) COLLATE "C" NOT NULL,
  reason      VARCHAR(1000) NOT NULL,
  principal   VARCHAR(200) NOT NULL,
  since       TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_switch_pk PRIMARY KEY (destination)
);

-- Redirects by operators: messages enqueued for destination go to target, as long as the row is there. They
-- stay in their lane, so their order and their place in it stay as they are.
CREATE TABLE IF NOT EXISTS outbox_redirect (
  destination VARCHAR(100) COLLATE "C" NOT NULL,
  target      VARCHAR(100) COLLATE "C" NOT NULL,
  reason      VARCHAR(1000) NOT NULL,
  principal   VARCHAR(200) NOT NULL,
  since       TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_redirect_pk PRIMARY KEY (destination)
);

-- Operators' settings in place of the configuration's keys of one destination, as long as the row is there; a
-- null leaves its key as configured. Each node reads all rows every few seconds.
CREATE TABLE IF NOT EXISTS outbox_policy (
  destination      VARCHAR(100) COLLATE "C" NOT NULL,
  max_attempts     INTEGER,
  backoff_first_ms BIGINT,
  backoff_max_ms   BIGINT,
  on_dead_letter   VARCHAR(8),
  reason           VARCHAR(1000) NOT NULL,
  principal        VARCHAR(200)  NOT NULL,
  since            TIMESTAMPTZ   NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_policy_pk PRIMARY KEY (destination),
  CONSTRAINT outbox_policy_attempts_ck CHECK (max_attempts BETWEEN 1 AND 1000000),
  CONSTRAINT outbox_policy_backoff_ck CHECK
    (backoff_first_ms BETWEEN 1 AND 86400000 AND backoff_max_ms BETWEEN 1 AND 86400000
     AND backoff_first_ms <= backoff_max_ms),
  CONSTRAINT outbox_policy_on_dead_letter_ck CHECK (on_dead_letter IN ('HOLD', 'CONTINUE'))
);

-- The last count of the messages, made by one node for all. The row lock of CLAIM, of which there is one
-- row, is the claim on counting: since is there when the last count began, and due_at when the next may.
-- history, there: the counts of the last hour as JSON, of the console.
CREATE TABLE IF NOT EXISTS outbox_count (
  kind        VARCHAR(7) COLLATE "C" NOT NULL,
  destination VARCHAR(100) COLLATE "C" NOT NULL,
  messages    BIGINT       NOT NULL,
  estimated   BOOLEAN      NOT NULL,
  since       TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
  due_at      TIMESTAMPTZ,
  history     TEXT,
  CONSTRAINT outbox_count_pk PRIMARY KEY (kind, destination)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- One row is one node: its last report, renewed every few seconds (alive_at) and deleted at an orderly stop.
-- A row that nobody renews is that of a node that died, or is frozen or cut off; it is deleted after a day.
-- details: a JSON object, whose times are milliseconds before alive_at; errors in it are encrypted where the
-- application has a PayloadCipher. Each page keeps place for the next versions of its rows, which then need
-- no entry in the index.
CREATE TABLE IF NOT EXISTS outbox_node (
  node       VARCHAR(100) COLLATE "C" NOT NULL,
  host       VARCHAR(100) NOT NULL,
  version    VARCHAR(50)  NOT NULL,
  started_at TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
  alive_at   TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
  details    TEXT NOT NULL,
  CONSTRAINT outbox_node_pk PRIMARY KEY (node)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Actions that operators have started and that go on in the background, with their progress. The row lock is
-- the claim on the next step, whose transaction also saves the progress. Of those that are RUNNING the one
-- with the earliest turn_at goes on. plan: a JSON object that says what to do. progress: one that says where
-- to go on. note: why it stopped by itself. finished_at: since when it is over, for its retention. Each page
-- keeps place for the next versions of its rows, which then need no entry in the indexes.
CREATE TABLE IF NOT EXISTS outbox_action (
  id          UUID          NOT NULL,
  action      VARCHAR(30)   NOT NULL,
  state       VARCHAR(9) COLLATE "C" NOT NULL,
  principal   VARCHAR(200)  NOT NULL,
  reason      VARCHAR(1000) NOT NULL,
  subject     VARCHAR(2000) NOT NULL,
  total       BIGINT        NOT NULL,
  done        BIGINT        NOT NULL DEFAULT 0,
  failures    BIGINT        NOT NULL DEFAULT 0,
  note        VARCHAR(1000),
  plan        TEXT NOT NULL,
  progress    TEXT NOT NULL,
  started_at  TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  changed_at  TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  turn_at     TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  finished_at TIMESTAMPTZ,
  CONSTRAINT outbox_action_pk PRIMARY KEY (id),
  CONSTRAINT outbox_action_state_ck CHECK
    (state IN ('PLANNED', 'RUNNING', 'PAUSED', 'DONE', 'CANCELLED', 'FAILED'))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
CREATE INDEX IF NOT EXISTS outbox_action_turn_ix
  ON outbox_action (turn_at, id) WHERE state = 'RUNNING';
CREATE INDEX IF NOT EXISTS outbox_action_started_ix ON outbox_action (started_at, id);
CREATE INDEX IF NOT EXISTS outbox_action_finished_ix ON outbox_action (finished_at);

-- Operators' actions, with their reasons. An outbox and an inbox in one schema share the table.
CREATE TABLE IF NOT EXISTS postbox_audit (
  id        UUID          NOT NULL,
  at        TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
  module    VARCHAR(20) COLLATE "C" NOT NULL,
  service   VARCHAR(100)  NOT NULL,
  action    VARCHAR(30)   NOT NULL,
  principal VARCHAR(200)  NOT NULL,
  reason    VARCHAR(1000) NOT NULL,
  subject   VARCHAR(2000) NOT NULL,
  messages  BIGINT        NOT NULL,
  CONSTRAINT postbox_audit_pk PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS postbox_audit_at_ix ON postbox_audit (at);
