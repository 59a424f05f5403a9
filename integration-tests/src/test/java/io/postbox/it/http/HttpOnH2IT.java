package io.postbox.it.http;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

@Tag("full")
@OnH2
class HttpOnH2IT extends HttpTests {}
