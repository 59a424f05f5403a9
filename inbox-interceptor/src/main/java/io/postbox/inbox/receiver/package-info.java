/**
 * Decides about a delivery: the handler runs, or it is skipped, or it is kept aside. Plain Java.
 */
@NullMarked
package io.postbox.inbox.receiver;

import org.jspecify.annotations.NullMarked;
