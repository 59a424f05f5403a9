package io.postbox.it.engine;

import io.postbox.it.tools.OnPostgres;

/** A transaction of the inbox's own, in one phase. */
@OnPostgres(EngineTests.OWN)
class OwnEngineOnPostgresIT extends EngineTests {}
