package io.postbox.it.kept;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

/** The database knows one phase only. */
@Tag("full")
@OnH2
class KeptOnH2IT extends KeptTests {}
