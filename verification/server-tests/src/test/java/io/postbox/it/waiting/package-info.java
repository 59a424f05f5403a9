/** A destination that leads nowhere yet. */
@NullMarked
package io.postbox.it.waiting;

import org.jspecify.annotations.NullMarked;
