/** Deliveries as data, independent of JMS and SQL. */
@NullMarked
package io.postbox.inbox.message;

import org.jspecify.annotations.NullMarked;
