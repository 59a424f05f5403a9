package io.postbox.it.inboxevents;

import io.postbox.it.tools.OnH2;
import org.junit.jupiter.api.Tag;

/** On the embedded database. */
@Tag("full")
@OnH2
class InboxEventsOnH2IT extends InboxEventsTests {}
