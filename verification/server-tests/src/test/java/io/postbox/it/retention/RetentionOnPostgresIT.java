package io.postbox.it.retention;

import io.postbox.it.tools.OnPostgres;

/** On PostgreSQL, whose log shows whether somebody still asks. */
@OnPostgres(managed = false)
class RetentionOnPostgresIT extends RetentionTests {}
