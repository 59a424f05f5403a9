/** Clocks, and ids that carry the time. */
@NullMarked
package io.postbox.common.time;

import org.jspecify.annotations.NullMarked;
