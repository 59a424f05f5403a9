package io.postbox.it.early;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

@Tag("full")
@OnH2
class EarlyOnH2IT extends EarlyTests {}
