/** Messages between enqueue and sending, as plain data, and their form as JSON. */
@NullMarked
package io.postbox.outbox.message;

import org.jspecify.annotations.NullMarked;
