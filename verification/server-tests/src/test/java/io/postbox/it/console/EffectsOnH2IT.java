package io.postbox.it.console;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

/** On the embedded database. */
@Tag("full")
@OnH2("effects")
class EffectsOnH2IT extends EffectsTests {}
