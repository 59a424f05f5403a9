/**
 * Operations: operators' queries and actions, recording, counting and housekeeping, in short
 * transactions of their own, with statements from {@link io.postbox.inbox.store}.
 */
@NullMarked
package io.postbox.inbox.ops;

import org.jspecify.annotations.NullMarked;
