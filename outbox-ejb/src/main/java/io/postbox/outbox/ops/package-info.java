/**
 * The operations queries: JPQL through the server's persistence provider, on the outbox's own data
 * source, read only. What changes rows is in {@link io.postbox.outbox.store}.
 */
@NullMarked
package io.postbox.outbox.ops;

import org.jspecify.annotations.NullMarked;
