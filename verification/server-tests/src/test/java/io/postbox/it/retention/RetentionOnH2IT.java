package io.postbox.it.retention;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

/** On the embedded database. */
@Tag("full")
@OnH2(managed = false)
class RetentionOnH2IT extends RetentionTests {}
