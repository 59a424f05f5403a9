package io.postbox.it.backlog;

import io.postbox.it.tools.OnPostgres;

@OnPostgres
class BacklogOnPostgresIT extends BacklogTests {}
