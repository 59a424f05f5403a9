/** Traces that go through the outbox. */
@NullMarked
package io.postbox.it.telemetry;

import org.jspecify.annotations.NullMarked;
