package io.postbox.it.engine;

import io.postbox.it.tools.OnH2;

/** The delivery's transaction, with H2 as its last participant. */
@OnH2
class EngineOnH2IT extends EngineTests {}
