/** Decides about a delivery: runs its handler, skips it or keeps it aside. Plain Java. */
@NullMarked
package io.postbox.inbox.receiver;

import org.jspecify.annotations.NullMarked;
