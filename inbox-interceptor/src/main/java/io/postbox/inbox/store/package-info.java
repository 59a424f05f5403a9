/**
 * Every SQL statement of the inbox, on a connection that the caller hands in, and the differences
 * between the databases. No class here decides, begins or ends a transaction, except to create the
 * tables.
 */
@NullMarked
package io.postbox.inbox.store;

import org.jspecify.annotations.NullMarked;
