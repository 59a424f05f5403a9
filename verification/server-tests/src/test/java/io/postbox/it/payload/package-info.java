/** Messages that wait, expire, refer to their payload, and are encrypted in the table. */
@NullMarked
package io.postbox.it.payload;

import org.jspecify.annotations.NullMarked;
