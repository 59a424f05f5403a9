package io.postbox.it.guard;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

@Tag("full")
@OnH2
class GuardOnH2IT extends GuardTests {}
