/**
 * The messages between orders and shipping: their payloads, and how one is read. The two features
 * know these records and not each other.
 */
@NullMarked
package io.postbox.sample.events;

import org.jspecify.annotations.NullMarked;
