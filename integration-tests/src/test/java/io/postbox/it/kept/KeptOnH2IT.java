package io.postbox.it.kept;

import io.postbox.it.tools.OnH2;

/** The database knows one phase only. */
@OnH2
class KeptOnH2IT extends KeptTests {}
