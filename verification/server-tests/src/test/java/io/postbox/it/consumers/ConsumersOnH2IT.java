package io.postbox.it.consumers;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

/** The database takes part last, in one phase. */
@Tag("full")
@OnH2
class ConsumersOnH2IT extends ConsumersTests {}
