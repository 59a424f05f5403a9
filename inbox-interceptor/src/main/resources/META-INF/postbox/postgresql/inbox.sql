-- Postbox inbox, tables version 1.0, PostgreSQL.
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

-- The service's keys, made at the first start. Row 1 (32 bytes): the key with which the service signs the
-- messages that it sends again, and plans. A reader of the key can forge both. Without the row, copies on
-- their way are taken for messages of their senders, and plans have to be made anew. Row 2, where the
-- application has a PayloadCipher: the key of the fingerprints, encrypted.
CREATE TABLE IF NOT EXISTS inbox_secret (
  id     INTEGER NOT NULL,
  secret BYTEA NOT NULL,
  CONSTRAINT inbox_secret_pk PRIMARY KEY (id)
);

-- One row is one message that a consumer is done with. It is written, once, by the transaction in
-- which the handler works, before the handler runs: both times are the time of that statement.
-- Retention deletes all day long what was inserted days before, so a vacuum has to come long before a
-- fifth of the table, PostgreSQL's default, is dead: until then the index keeps the entries of all that
-- was deleted, in front of what is to be deleted next. With a hundred million rows, two in a hundred are
-- as much as PostgreSQL has to go through at a time.
-- Where such a message was parked too and is redriven, processed_at is that time from then on.
-- outcome: PROCESSED; CAPTURED, while the message waits in inbox_stored; STALE, for an aggregate's
-- version that came too late; DISCARDED, by a person.
CREATE TABLE IF NOT EXISTS inbox_message (
  consumer            VARCHAR(100) COLLATE "C" NOT NULL,
  message_id          VARCHAR(200) COLLATE "C" NOT NULL,
  source              VARCHAR(100),
  received_at         TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  processed_at        TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  fingerprint         BYTEA NOT NULL,
  fingerprint_version INTEGER NOT NULL,
  headers             TEXT NOT NULL,
  -- The person whom the message is about: a keyed digest of the sender's name for them, for erasure.
  data_subject        VARCHAR(50) COLLATE "C",
  outcome             VARCHAR(10) COLLATE "C" NOT NULL DEFAULT 'PROCESSED',
  CONSTRAINT inbox_message_pk PRIMARY KEY (consumer, message_id),
  CONSTRAINT inbox_message_fingerprint_ck CHECK (octet_length(fingerprint) = 32)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Retention deletes by this index, and people look up a consumer's messages by time. A table divided by day
-- (inbox-divided.sql) needs no such index: leave it out. The condition holds for every row, and keeps the
-- index to statements that ask for a time: else a message of a consumer that has come since the last ANALYZE
-- could be looked for in all of that consumer's rows, because to PostgreSQL there are none, and this index is
-- as good as the key.
CREATE INDEX IF NOT EXISTS inbox_message_processed_ix ON inbox_message (consumer, processed_at)
  WHERE processed_at IS NOT NULL;

-- The handled messages about a person, for erasure; those that name nobody are not in it.
CREATE INDEX IF NOT EXISTS inbox_message_subject_ix
  ON inbox_message (data_subject, consumer, message_id) WHERE data_subject IS NOT NULL;

-- One row is one try of a handler that was rolled back, written after the rollback: it is history,
-- and says nothing about a message that is in inbox_message.
-- kind: FAILED counts against max-attempts; REJECTED ends the tries; TRANSIENT counts against
-- max-transient-failures; BYSTANDER, for another consumer in the transaction, and LATER, which says how
-- long the handler wants to wait, do not count.
-- Of these three the message has the last one of each: attempt counts all those before too, and times those
-- of the kind. signature: the same for all errors of one cause, for grouping.
-- sealed_reason: the reason, encrypted by the application, in the place of an empty one.
-- Of FAILED the message has the first row and the last ten. frame: the innermost call of the
-- application. redriven: a person has had the message sent again since, and this row counts no longer;
-- the rows of the last time before that are kept.
CREATE TABLE IF NOT EXISTS inbox_failure (
  id            BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  consumer      VARCHAR(100) COLLATE "C" NOT NULL,
  message_id    VARCHAR(200) COLLATE "C" NOT NULL,
  attempt       INTEGER NOT NULL,
  kind          VARCHAR(10) COLLATE "C" NOT NULL,
  wait_millis   BIGINT,
  reason        VARCHAR(2000) NOT NULL,
  sealed_reason TEXT,
  signature     VARCHAR(32) COLLATE "C" NOT NULL DEFAULT '',
  node          VARCHAR(100) COLLATE "C" NOT NULL DEFAULT '',
  error_class   VARCHAR(300) NOT NULL DEFAULT '',
  frame         VARCHAR(300) NOT NULL DEFAULT '',
  aggregate_type VARCHAR(200) COLLATE "C",
  aggregate_id  VARCHAR(200) COLLATE "C",
  aggregate_version BIGINT,
  data_subject  VARCHAR(50) COLLATE "C",
  redriven      BOOLEAN NOT NULL DEFAULT FALSE,
  times         INTEGER NOT NULL DEFAULT 1,
  failed_at     TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT inbox_failure_pk PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX IF NOT EXISTS inbox_failure_message_ix ON inbox_failure (consumer, message_id, id);
CREATE INDEX IF NOT EXISTS inbox_failure_signature_ix ON inbox_failure (signature, failed_at);
-- With a condition like that of inbox_message_processed_ix.
CREATE INDEX IF NOT EXISTS inbox_failure_failed_ix ON inbox_failure (consumer, failed_at)
  WHERE failed_at IS NOT NULL;
-- The failures about an aggregate, and about a person, for erasure.
CREATE INDEX IF NOT EXISTS inbox_failure_aggregate_ix
  ON inbox_failure (aggregate_id, aggregate_type, id) WHERE aggregate_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS inbox_failure_subject_ix
  ON inbox_failure (data_subject, id) WHERE data_subject IS NOT NULL;

-- One row is one try of a message that has come before, or may have: written before the delivery touches
-- anything else, and deleted when it is over, in whatever way. A row that stays is that of a process that died,
-- or that still works on it and renews alive_at every few seconds.
-- alone: no other message that may have ended a process was at work in that one.
CREATE TABLE IF NOT EXISTS inbox_attempt (
  id            BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  consumer      VARCHAR(100) COLLATE "C" NOT NULL,
  message_id    VARCHAR(200) COLLATE "C" NOT NULL,
  node          VARCHAR(100) COLLATE "C" NOT NULL,
  alone         BOOLEAN NOT NULL,
  begun_at      TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  alive_at      TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT inbox_attempt_pk PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS inbox_attempt_message_ix ON inbox_attempt (consumer, message_id, id);
CREATE INDEX IF NOT EXISTS inbox_attempt_alive_ix ON inbox_attempt (alive_at);

-- One row is one node: its last report, renewed every few seconds (alive_at), at the latest from its first
-- delivery on, and deleted at an orderly stop. A row that nobody renews is that of a node that died, or is
-- frozen or cut off; it is deleted after a day. For a while each node that sees it takes any delivery for a
-- possible redelivery, because not every broker remembers after a crash that it delivered a message before.
-- details: a JSON object. Each page keeps place for the next versions of its rows, which then need no entry
-- in the index.
CREATE TABLE IF NOT EXISTS inbox_node (
  node          VARCHAR(100) COLLATE "C" NOT NULL,
  host          VARCHAR(100) NOT NULL,
  version       VARCHAR(50) NOT NULL,
  started_at    TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  alive_at      TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  details       TEXT NOT NULL,
  CONSTRAINT inbox_node_pk PRIMARY KEY (node)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The messages that are not done, with their content: those that are captured, those that wait for a person or
-- for versions before them, and those that are on their way back to their listener. One row is one message. Only
-- the transaction that handles, keeps aside or discards the message deletes the row or changes its status; what
-- lies in a queue is a copy. A row lock is the claim: nothing else says that a message is being handled.
-- status: PENDING, to be handled by a worker; DELAYED, not before due_at; HELD, behind an earlier message with its
-- ordering key; HANDED_BACK, has its turn: its copy is in its queue, and is sent again at due_at unless it has come
-- (a captured one has no copy, and is PENDING soon); EARLY, before the turn of its version; PARKED, its handler
-- could not handle it; QUARANTINED, has no usable id, or that of other content; PROCESSED, handled and kept
-- (capture.after-processing=keep).
-- captured: its consumer handles it from here, with mode = CAPTURE; its id is in inbox_message as CAPTURED then.
-- variant: empty, but for one that is or was QUARANTINED: its content, because its id is that of another message.
-- generation: how often it was handed back; a copy that says another one is not handled.
-- reason, error, signature, attempts: why it was kept aside. sealed_error: the error, encrypted by the application,
-- in the place of an empty one. stored_fingerprint: of what was handled under the id of a QUARANTINED one.
-- released_as: the id under which a person has a QUARANTINED one sent.
-- holds: a PARKED one for which those behind it with its key wait, whatever the configuration says later.
-- precedence: 9 less the JMS priority, so that the lowest goes first.
-- handled: its handler is done, and at most the reply is still to be sent; it is DELAYED until then, and has no
-- ordering key any more, or PENDING with its key, if another transaction had that locked. waited_for: how many
-- failures it has waited for. setbacks: how often in a row steps around its handler failed, such as decrypting it, or
-- sending the reply; or how often its copy was sent. reply_allowed: whether the consumer's settings allow a reply to
-- reply_to. kept_at: since when it is EARLY, PARKED, QUARANTINED or PROCESSED; without it, a copy expires as the
-- message does.
CREATE TABLE IF NOT EXISTS inbox_stored (
  id                  BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
  consumer            VARCHAR(100) COLLATE "C" NOT NULL,
  message_id          VARCHAR(200) COLLATE "C",
  variant             VARCHAR(80) COLLATE "C" NOT NULL DEFAULT '',
  status              VARCHAR(11) COLLATE "C" NOT NULL,
  captured            BOOLEAN NOT NULL,
  holds               BOOLEAN NOT NULL DEFAULT FALSE,
  handled             BOOLEAN NOT NULL DEFAULT FALSE,
  reply_allowed       BOOLEAN NOT NULL DEFAULT FALSE,
  encrypted           BOOLEAN NOT NULL DEFAULT FALSE,
  precedence          SMALLINT NOT NULL,
  generation          INTEGER NOT NULL DEFAULT 0,
  waited_for          INTEGER NOT NULL DEFAULT 0,
  setbacks            INTEGER NOT NULL DEFAULT 0,
  attempts            INTEGER NOT NULL DEFAULT 0,
  ordering_key        VARCHAR(200) COLLATE "C",
  due_at              TIMESTAMPTZ,
  reason              VARCHAR(30) COLLATE "C",
  error               VARCHAR(2000) NOT NULL DEFAULT '',
  sealed_error        TEXT,
  signature           VARCHAR(32) COLLATE "C" NOT NULL DEFAULT '',
  source              VARCHAR(100),
  event_type          VARCHAR(200),
  aggregate_type      VARCHAR(200) COLLATE "C",
  aggregate_id        VARCHAR(200) COLLATE "C",
  aggregate_version   BIGINT,
  data_subject        VARCHAR(50) COLLATE "C",
  fingerprint         BYTEA NOT NULL,
  fingerprint_version INTEGER NOT NULL,
  stored_fingerprint  BYTEA,
  stored_fingerprint_version INTEGER,
  headers             TEXT NOT NULL,
  destination         VARCHAR(500) COLLATE "C",
  reply_to            VARCHAR(500),
  released_as         VARCHAR(200) COLLATE "C",
  size                BIGINT NOT NULL,
  body_type           VARCHAR(10) NOT NULL,
  payload_text        TEXT,
  payload_bytes       BYTEA,
  properties          TEXT NOT NULL,
  stored_at           TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  kept_at             TIMESTAMPTZ,
  CONSTRAINT inbox_stored_pk PRIMARY KEY (id),
  CONSTRAINT inbox_stored_message_uk UNIQUE (consumer, message_id, variant)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Workers look for these messages: the first by priority, those whose time has come, and the next with a key.
CREATE INDEX IF NOT EXISTS inbox_stored_pending_ix ON inbox_stored (consumer, precedence, id)
  WHERE status = 'PENDING';
CREATE INDEX IF NOT EXISTS inbox_stored_due_ix ON inbox_stored (consumer, due_at)
  WHERE status = 'DELAYED';
CREATE INDEX IF NOT EXISTS inbox_stored_back_ix ON inbox_stored (consumer, due_at)
  WHERE status = 'HANDED_BACK' OR (status = 'DELAYED' AND NOT captured);
CREATE INDEX IF NOT EXISTS inbox_stored_key_ix ON inbox_stored (consumer, ordering_key, id)
  WHERE ordering_key IS NOT NULL AND status <> 'PROCESSED';
-- Retention deletes by this index.
CREATE INDEX IF NOT EXISTS inbox_stored_kept_ix ON inbox_stored (consumer, kept_at)
  WHERE status = 'PROCESSED';
-- The versions of an aggregate that wait for those before them, and all that are here.
CREATE INDEX IF NOT EXISTS inbox_stored_waiting_ix
  ON inbox_stored (consumer, aggregate_type, aggregate_id, aggregate_version)
  WHERE reason IN ('EARLY', 'VERSION_MISSING') AND status IN ('EARLY', 'PARKED');
CREATE INDEX IF NOT EXISTS inbox_stored_version_ix
  ON inbox_stored (consumer, aggregate_type, aggregate_id, aggregate_version)
  WHERE aggregate_version IS NOT NULL AND status <> 'PROCESSED';
-- People page through what is kept aside, and look for a message of any consumer, for the messages about an
-- aggregate, and for those that were parked for one cause.
CREATE INDEX IF NOT EXISTS inbox_stored_person_ix ON inbox_stored (status, id)
  WHERE status IN ('EARLY', 'PARKED', 'QUARANTINED');
CREATE INDEX IF NOT EXISTS inbox_stored_message_ix ON inbox_stored (message_id, id)
  WHERE message_id IS NOT NULL AND status IN ('EARLY', 'PARKED', 'QUARANTINED');
CREATE INDEX IF NOT EXISTS inbox_stored_aggregate_ix ON inbox_stored (aggregate_id, aggregate_type, id)
  WHERE aggregate_id IS NOT NULL AND status IN ('EARLY', 'PARKED', 'QUARANTINED');
CREATE INDEX IF NOT EXISTS inbox_stored_signature_ix ON inbox_stored (signature, id)
  WHERE status = 'PARKED';
-- The messages about a person, for erasure.
CREATE INDEX IF NOT EXISTS inbox_stored_subject_ix ON inbox_stored (data_subject, id)
  WHERE data_subject IS NOT NULL;

-- How many messages are stored, by their status, and how large they are (size, in bytes), for limits, quotas and
-- metrics. One node counts for all, whichever finds first that it is due: it locks the row CLAIM, counts by this
-- index, and leaves the result here. since is when the oldest one was stored. PAUSED is a consumer in inbox_switch.
-- The lines AGGREGATES tell how many aggregates a consumer with an order of versions knows; each is locked and
-- counted by itself. history, in CLAIM: the counts of the last hour as JSON, of the console.
CREATE INDEX IF NOT EXISTS inbox_stored_count_ix ON inbox_stored (consumer, status, stored_at, size, captured)
  WHERE status <> 'PROCESSED';
CREATE TABLE IF NOT EXISTS inbox_count (
  kind       VARCHAR(11) COLLATE "C" NOT NULL,
  consumer   VARCHAR(100) COLLATE "C" NOT NULL,
  messages   BIGINT NOT NULL,
  bytes      BIGINT NOT NULL,
  since      TIMESTAMPTZ,
  due_at     TIMESTAMPTZ,
  history    TEXT,
  CONSTRAINT inbox_count_pk PRIMARY KEY (kind, consumer)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- The results that a handler left for a redelivery: its reply (effect ''), and those of its outside
-- effects. sealed_result: the same, encrypted by the application. reply_to: where the reply was
-- wanted, by JMSReplyTo: a redelivered message that wants it elsewhere does not get it.
CREATE TABLE IF NOT EXISTS inbox_result (
  consumer      VARCHAR(100) COLLATE "C" NOT NULL,
  message_id    VARCHAR(200) COLLATE "C" NOT NULL,
  effect        VARCHAR(200) COLLATE "C" NOT NULL,
  result        TEXT,
  sealed_result TEXT,
  reply_to      VARCHAR(500),
  created_at    TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT inbox_result_pk PRIMARY KEY (consumer, message_id, effect)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- With a condition like that of inbox_message_processed_ix.
CREATE INDEX IF NOT EXISTS inbox_result_created_ix ON inbox_result (consumer, created_at)
  WHERE created_at IS NOT NULL;

-- The last version of each aggregate that a consumer has handled, for consumers that take them in
-- order. Its row lock decides between instances. first_version: with which it began; lower
-- ones were never handled. waiting_since: null, unless later versions of it wait in
-- inbox_stored; then since when the next one is missing. An aggregate of which none was handled has a row as
-- long as versions wait.
CREATE TABLE IF NOT EXISTS inbox_aggregate (
  consumer       VARCHAR(100) COLLATE "C" NOT NULL,
  aggregate_type VARCHAR(200) COLLATE "C" NOT NULL,
  aggregate_id   VARCHAR(200) COLLATE "C" NOT NULL,
  version        BIGINT NOT NULL,
  first_version  BIGINT NOT NULL DEFAULT 0,
  changed_at     TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  waiting_since  TIMESTAMPTZ,
  CONSTRAINT inbox_aggregate_pk PRIMARY KEY (consumer, aggregate_type, aggregate_id)
);
-- Aggregates with a gap: later versions wait in inbox_stored.
CREATE INDEX IF NOT EXISTS inbox_aggregate_waiting_ix
  ON inbox_aggregate (consumer, waiting_since, aggregate_type, aggregate_id)
  WHERE waiting_since IS NOT NULL;

-- The versions of aggregates that a person discarded while they were parked: the order steps over
-- them.
CREATE TABLE IF NOT EXISTS inbox_discarded (
  consumer       VARCHAR(100) COLLATE "C" NOT NULL,
  aggregate_type VARCHAR(200) COLLATE "C" NOT NULL,
  aggregate_id   VARCHAR(200) COLLATE "C" NOT NULL,
  version        BIGINT NOT NULL,
  CONSTRAINT inbox_discarded_pk PRIMARY KEY (consumer, aggregate_type, aggregate_id, version)
);

-- The ordering keys of which it is a message's turn in inbox_stored: one that is PENDING or DELAYED, or PARKED
-- and holds the key. A transaction that adds a message with a key, or finishes one, locks the row: so each key has
-- at most one of these, and those behind it are HELD.
CREATE TABLE IF NOT EXISTS inbox_key (
  consumer     VARCHAR(100) COLLATE "C" NOT NULL,
  ordering_key VARCHAR(200) COLLATE "C" NOT NULL,
  CONSTRAINT inbox_key_pk PRIMARY KEY (consumer, ordering_key)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- Consumers whose captured messages wait because an operator said so.
CREATE TABLE IF NOT EXISTS inbox_switch (
  consumer  VARCHAR(100) COLLATE "C" NOT NULL,
  reason    VARCHAR(1000) NOT NULL,
  principal VARCHAR(200) NOT NULL,
  since     TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT inbox_switch_pk PRIMARY KEY (consumer)
);

-- When some node last lived (one row, whose lock also keeps the nodes from cleaning up at the same
-- time), and when none did: that time does not count for the retention.
CREATE TABLE IF NOT EXISTS inbox_alive (
  id       INTEGER NOT NULL,
  alive_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT inbox_alive_pk PRIMARY KEY (id)
);
CREATE TABLE IF NOT EXISTS inbox_outage (
  began_at TIMESTAMPTZ NOT NULL,
  ended_at TIMESTAMPTZ NOT NULL,
  CONSTRAINT inbox_outage_pk PRIMARY KEY (began_at)
);

-- Operators' settings in place of the configuration's keys of one consumer, as long as the row is there; a
-- null leaves its key as configured. Each node reads all rows every few seconds.
CREATE TABLE IF NOT EXISTS inbox_policy (
  consumer         VARCHAR(100) COLLATE "C" NOT NULL,
  max_attempts     INTEGER,
  backoff_first_ms BIGINT,
  backoff_max_ms   BIGINT,
  reason           VARCHAR(1000) NOT NULL,
  principal        VARCHAR(200)  NOT NULL,
  since            TIMESTAMPTZ   NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT inbox_policy_pk PRIMARY KEY (consumer),
  CONSTRAINT inbox_policy_attempts_ck CHECK (max_attempts BETWEEN 1 AND 1000000),
  CONSTRAINT inbox_policy_backoff_ck CHECK
    (backoff_first_ms BETWEEN 1 AND 86400000 AND backoff_max_ms BETWEEN 1 AND 86400000
     AND backoff_first_ms <= backoff_max_ms)
);

-- Actions that operators have started and that go on in the background, with their progress. The row lock is
-- the claim on the next step, whose transaction also saves the progress. Of those that are RUNNING the one
-- with the earliest turn_at goes on. plan: a JSON object that says what to do. progress: one that says where
-- to go on. note: why it stopped by itself. finished_at: since when it is over, for its retention. Each page
-- keeps place for the next versions of its rows, which then need no entry in the indexes.
CREATE TABLE IF NOT EXISTS inbox_action (
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
  CONSTRAINT inbox_action_pk PRIMARY KEY (id),
  CONSTRAINT inbox_action_state_ck CHECK
    (state IN ('PLANNED', 'RUNNING', 'PAUSED', 'DONE', 'CANCELLED', 'FAILED'))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
CREATE INDEX IF NOT EXISTS inbox_action_turn_ix
  ON inbox_action (turn_at, id) WHERE state = 'RUNNING';
CREATE INDEX IF NOT EXISTS inbox_action_started_ix ON inbox_action (started_at, id);
CREATE INDEX IF NOT EXISTS inbox_action_finished_ix ON inbox_action (finished_at);

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
