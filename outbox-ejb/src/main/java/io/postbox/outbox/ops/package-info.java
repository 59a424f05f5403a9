/**
 * Operations: operators' queries and actions, counting and housekeeping, in short transactions of
 * their own, with statements from {@link io.postbox.outbox.store}.
 */
@NullMarked
package io.postbox.outbox.ops;

import org.jspecify.annotations.NullMarked;
