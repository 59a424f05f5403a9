/**
 * The inbox's API: annotate a message-driven bean with {@link io.postbox.inbox.Inbox}, and inspect
 * and manage kept messages. The implementation is in the packages below this one.
 */
@NullMarked
package io.postbox.inbox;

import org.jspecify.annotations.NullMarked;
