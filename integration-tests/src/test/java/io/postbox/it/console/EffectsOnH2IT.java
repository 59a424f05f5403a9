package io.postbox.it.console;

import io.postbox.it.tools.OnH2;

/** On the embedded database. */
@OnH2("effects")
class EffectsOnH2IT extends EffectsTests {}
