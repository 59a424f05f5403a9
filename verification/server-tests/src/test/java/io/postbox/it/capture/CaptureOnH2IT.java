package io.postbox.it.capture;

import io.postbox.it.tools.OnH2;

@OnH2
class CaptureOnH2IT extends CaptureTests {}
