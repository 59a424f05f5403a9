/**
 * Operations. The queries are JPQL through the server's persistence provider, on the outbox's own
 * data source, read only. What changes rows does so in short transactions of its own, with
 * statements from {@link io.postbox.outbox.store}.
 */
@NullMarked
package io.postbox.outbox.ops;

import org.jspecify.annotations.NullMarked;
