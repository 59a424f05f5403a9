/**
 * Every SQL statement of the outbox, on a connection of the caller, and the differences between the
 * databases. No class here decides anything, or begins or ends a transaction, except to create the
 * tables.
 */
@NullMarked
package io.postbox.outbox.store;

import org.jspecify.annotations.NullMarked;
