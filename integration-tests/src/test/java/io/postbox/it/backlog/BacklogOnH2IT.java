package io.postbox.it.backlog;

import io.postbox.it.tools.OnH2;

@OnH2
class BacklogOnH2IT extends BacklogTests {}
