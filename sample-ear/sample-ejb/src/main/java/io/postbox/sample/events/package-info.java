/**
 * The messages between orders and shipping: their payloads. The two features know these records and
 * not each other.
 */
@NullMarked
package io.postbox.sample.events;

import org.jspecify.annotations.NullMarked;
