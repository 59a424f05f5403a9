/** From a row to a JMS message at its destination, and whose fault a JMS exception is. */
@NullMarked
package io.postbox.outbox.jms;

import org.jspecify.annotations.NullMarked;
