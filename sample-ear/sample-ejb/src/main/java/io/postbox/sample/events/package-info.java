/**
 * What orders and shipping tell each other: the payloads of the messages, and how one is read. The
 * two features know these records and not each other.
 */
@NullMarked
package io.postbox.sample.events;

import org.jspecify.annotations.NullMarked;
