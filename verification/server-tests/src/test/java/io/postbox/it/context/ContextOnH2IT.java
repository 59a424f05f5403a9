package io.postbox.it.context;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

@Tag("full")
@OnH2
class ContextOnH2IT extends ContextTests {}
