package io.postbox.it.handling;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

/** The database knows one phase only: it commits last in the transaction of the delivery. */
@Tag("full")
@OnH2
class HandlingOnH2IT extends HandlingTests {}
