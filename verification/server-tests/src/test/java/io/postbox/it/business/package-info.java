/** The business transaction and the outbox: both or neither, from every kind of caller. */
@NullMarked
package io.postbox.it.business;

import org.jspecify.annotations.NullMarked;
