/** The JTA transactions in which deliveries are handled: joined, or begun by the inbox itself. */
@NullMarked
package io.postbox.inbox.jta;

import org.jspecify.annotations.NullMarked;
