package io.postbox.it.inboxevents;

import io.postbox.it.tools.OnPostgres;

/** On PostgreSQL. */
@OnPostgres
class InboxEventsOnPostgresIT extends InboxEventsTests {}
