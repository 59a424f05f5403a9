package io.postbox.it.early;

import io.postbox.it.tools.OnPostgres;

@OnPostgres
class EarlyOnPostgresIT extends EarlyTests {}
