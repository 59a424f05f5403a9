/** Deliveries as CDI events, gauges and health; observers that are slow or fail. */
@NullMarked
package io.postbox.it.inboxevents;

import org.jspecify.annotations.NullMarked;
