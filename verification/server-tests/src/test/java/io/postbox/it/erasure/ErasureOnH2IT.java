package io.postbox.it.erasure;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

@Tag("full")
@OnH2
class ErasureOnH2IT extends ErasureTests {}
