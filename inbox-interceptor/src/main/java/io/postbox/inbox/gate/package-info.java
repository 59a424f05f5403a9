/** Admits deliveries, but not while the database is unavailable or the application stops. */
@NullMarked
package io.postbox.inbox.gate;

import org.jspecify.annotations.NullMarked;
