/**
 * Operations: what is read or changed by hand, recorded, counted and cleaned up, in short
 * transactions of its own, with statements from {@link io.postbox.inbox.store}.
 */
@NullMarked
package io.postbox.inbox.ops;

import org.jspecify.annotations.NullMarked;
