/** Handlers at the highest isolation level, which the database lets fail one after the other. */
@NullMarked
package io.postbox.it.serializable;

import org.jspecify.annotations.NullMarked;
