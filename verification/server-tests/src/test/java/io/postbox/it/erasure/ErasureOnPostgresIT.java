package io.postbox.it.erasure;

import io.postbox.it.tools.OnPostgres;

@OnPostgres
class ErasureOnPostgresIT extends ErasureTests {}
