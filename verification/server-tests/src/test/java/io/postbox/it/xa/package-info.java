/** Sending and completing in one two-phase transaction, over PostgreSQL and the embedded broker. */
@NullMarked
package io.postbox.it.xa;

import org.jspecify.annotations.NullMarked;
