/** A broker in memory, as far as outbox and inbox speak JMS with it. */
@NullMarked
package io.postbox.test.broker;

import org.jspecify.annotations.NullMarked;
