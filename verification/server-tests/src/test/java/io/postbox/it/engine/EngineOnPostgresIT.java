package io.postbox.it.engine;

import io.postbox.it.tools.OnPostgres;

/** The delivery's transaction, in two phases. */
@OnPostgres
class EngineOnPostgresIT extends EngineTests {}
