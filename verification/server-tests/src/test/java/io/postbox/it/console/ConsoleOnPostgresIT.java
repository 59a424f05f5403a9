package io.postbox.it.console;

import io.postbox.it.tools.OnPostgres;

/** On PostgreSQL. */
@OnPostgres
class ConsoleOnPostgresIT extends ConsoleTests {}
