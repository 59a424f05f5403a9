/**
 * All that a user of the outbox sees: enqueue a message in the transaction that is already running,
 * and look at what waits. Everything behind it lives in the packages below this one.
 */
@NullMarked
package io.postbox.outbox;

import org.jspecify.annotations.NullMarked;
