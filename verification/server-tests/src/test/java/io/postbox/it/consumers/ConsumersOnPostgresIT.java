package io.postbox.it.consumers;

import io.postbox.it.tools.OnPostgres;

/** The database takes part in two phases. */
@OnPostgres
class ConsumersOnPostgresIT extends ConsumersTests {}
