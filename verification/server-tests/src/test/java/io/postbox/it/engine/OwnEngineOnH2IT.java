package io.postbox.it.engine;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

/** A transaction of the inbox's own, in one phase. */
@Tag("full")
@OnH2(EngineTests.OWN)
class OwnEngineOnH2IT extends EngineTests {}
