/**
 * Every SQL statement of the outbox, on a connection that the caller hands in, and what differs
 * between the databases. Nothing here decides, begins or ends a transaction, except for making the
 * tables.
 */
@NullMarked
package io.postbox.outbox.store;

import org.jspecify.annotations.NullMarked;
