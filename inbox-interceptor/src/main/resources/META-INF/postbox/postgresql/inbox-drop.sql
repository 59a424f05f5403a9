-- Postbox inbox: drops its tables on PostgreSQL, with all that is in them. docs/operations.md#removing-postbox says
-- what comes first. With a schema or a table prefix, put it before every table name.
DROP TABLE IF EXISTS inbox_secret;
DROP TABLE IF EXISTS inbox_message;
DROP TABLE IF EXISTS inbox_failure;
DROP TABLE IF EXISTS inbox_attempt;
DROP TABLE IF EXISTS inbox_node;
DROP TABLE IF EXISTS inbox_stored;
DROP TABLE IF EXISTS inbox_count;
DROP TABLE IF EXISTS inbox_result;
DROP TABLE IF EXISTS inbox_aggregate;
DROP TABLE IF EXISTS inbox_discarded;
DROP TABLE IF EXISTS inbox_key;
DROP TABLE IF EXISTS inbox_switch;
DROP TABLE IF EXISTS inbox_alive;
DROP TABLE IF EXISTS inbox_outage;
DROP TABLE IF EXISTS inbox_policy;
DROP TABLE IF EXISTS inbox_action;
DELETE FROM postbox_schema WHERE module = 'inbox';
-- Of both modules, when neither is left, and nobody needs the record of who did what:
-- DROP TABLE IF EXISTS postbox_schema; DROP TABLE IF EXISTS postbox_audit;
