package io.postbox.it.http;

import io.postbox.it.tools.OnH2;

@OnH2
class HttpOnH2IT extends HttpTests {}
