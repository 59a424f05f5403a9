package io.postbox.it.batch;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

@Tag("full")
@OnH2
class BatchOnH2IT extends BatchTests {}
