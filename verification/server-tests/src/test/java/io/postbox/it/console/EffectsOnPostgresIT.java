package io.postbox.it.console;

import io.postbox.it.tools.OnPostgres;

/** On PostgreSQL. */
@OnPostgres("effects")
class EffectsOnPostgresIT extends EffectsTests {}
