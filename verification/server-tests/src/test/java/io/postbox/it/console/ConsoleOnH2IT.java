package io.postbox.it.console;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

/** On the embedded database. */
@OnH2
@Tag("full")
class ConsoleOnH2IT extends ConsoleTests {}
