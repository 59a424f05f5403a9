/** What becomes of messages, as CDI events, and observers that are slow or fail. */
@NullMarked
package io.postbox.it.events;

import org.jspecify.annotations.NullMarked;
