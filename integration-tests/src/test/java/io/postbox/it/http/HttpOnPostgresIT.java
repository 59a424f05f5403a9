package io.postbox.it.http;

import io.postbox.it.tools.OnPostgres;
import org.junit.jupiter.api.Tag;

@Tag("full")
@OnPostgres
class HttpOnPostgresIT extends HttpTests {}
