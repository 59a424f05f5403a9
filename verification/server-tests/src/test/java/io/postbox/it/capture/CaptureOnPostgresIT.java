package io.postbox.it.capture;

import io.postbox.it.tools.OnPostgres;
import org.junit.jupiter.api.Tag;

@Tag("full")
@OnPostgres
class CaptureOnPostgresIT extends CaptureTests {}
