/**
 * The operations queries: JPQL through the server's persistence provider, on the inbox's own data
 * source, read only. What changes rows is in {@link io.postbox.inbox.store}.
 */
@NullMarked
package io.postbox.inbox.ops;

import org.jspecify.annotations.NullMarked;
