/** Every log line of the outbox, with its id. */
@NullMarked
package io.postbox.outbox.log;

import org.jspecify.annotations.NullMarked;
