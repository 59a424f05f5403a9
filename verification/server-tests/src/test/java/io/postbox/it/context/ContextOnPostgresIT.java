package io.postbox.it.context;

import io.postbox.it.tools.OnPostgres;

@OnPostgres
class ContextOnPostgresIT extends ContextTests {}
