package io.postbox.it.backlog;

import io.postbox.it.tools.OnPostgres;
import org.junit.jupiter.api.Tag;

@Tag("full")
@OnPostgres
class BacklogOnPostgresIT extends BacklogTests {}
