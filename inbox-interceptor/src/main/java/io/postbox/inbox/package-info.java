/**
 * All that a user of the inbox sees: mark a message-driven bean with {@link
 * io.postbox.inbox.Inbox}, and look at what it skipped. Everything behind it lives in the packages
 * below this one.
 */
@NullMarked
package io.postbox.inbox;

import org.jspecify.annotations.NullMarked;
