package io.postbox.it.backlog;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

@Tag("full")
@OnH2
class BacklogOnH2IT extends BacklogTests {}
