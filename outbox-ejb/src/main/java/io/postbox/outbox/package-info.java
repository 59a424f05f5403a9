/**
 * The outbox's API: enqueue a message in the running transaction, and inspect and manage waiting
 * messages. The implementation is in the packages below this one.
 */
@NullMarked
package io.postbox.outbox;

import org.jspecify.annotations.NullMarked;
