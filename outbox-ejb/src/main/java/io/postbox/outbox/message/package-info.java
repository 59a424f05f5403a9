/** What is kept of a message between enqueue and sending: plain data, and its form as JSON. */
@NullMarked
package io.postbox.outbox.message;

import org.jspecify.annotations.NullMarked;
