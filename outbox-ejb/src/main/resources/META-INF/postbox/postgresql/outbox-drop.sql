-- Postbox outbox: drops its tables on PostgreSQL, with all that is in them. docs/operations.md#removing-postbox says
-- what comes first. With a schema or a table prefix, put it before every table name.
DROP TABLE IF EXISTS outbox_secret;
DROP TABLE IF EXISTS outbox_message;
DROP TABLE IF EXISTS outbox_partition;
DROP TABLE IF EXISTS outbox_held_key;
DROP TABLE IF EXISTS outbox_failure;
DROP TABLE IF EXISTS outbox_archive;
DROP TABLE IF EXISTS outbox_switch;
DROP TABLE IF EXISTS outbox_redirect;
DROP TABLE IF EXISTS outbox_policy;
DROP TABLE IF EXISTS outbox_count;
DROP TABLE IF EXISTS outbox_node;
DROP TABLE IF EXISTS outbox_action;
DELETE FROM postbox_schema WHERE module = 'outbox';
-- Of both modules, when neither is left, and nobody needs the record of who did what:
-- DROP TABLE IF EXISTS postbox_schema; DROP TABLE IF EXISTS postbox_audit;
