/**
 * Operations: what is read or changed by hand, counted and cleaned up, in short transactions of its
 * own, with statements from {@link io.postbox.outbox.store}.
 */
@NullMarked
package io.postbox.outbox.ops;

import org.jspecify.annotations.NullMarked;
