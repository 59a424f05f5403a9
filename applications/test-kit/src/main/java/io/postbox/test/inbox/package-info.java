/** The real inbox, assembled for one process of a test, which can die and be started again. */
@NullMarked
package io.postbox.test.inbox;

import org.jspecify.annotations.NullMarked;
