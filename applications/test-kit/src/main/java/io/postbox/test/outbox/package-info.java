/** The real outbox, with a relay that a test turns by hand. */
@NullMarked
package io.postbox.test.outbox;

import org.jspecify.annotations.NullMarked;
