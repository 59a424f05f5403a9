/** CDI events of sent and failed messages, and observers that are slow or fail. */
@NullMarked
package io.postbox.it.events;

import org.jspecify.annotations.NullMarked;
