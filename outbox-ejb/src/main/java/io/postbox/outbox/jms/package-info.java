/** Sends rows as JMS messages, and decides whose fault a JMS exception is. */
@NullMarked
package io.postbox.outbox.jms;

import org.jspecify.annotations.NullMarked;
