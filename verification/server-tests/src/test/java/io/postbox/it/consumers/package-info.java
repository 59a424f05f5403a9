/**
 * How far a consumer's name reaches: over several message-driven beans, over the subscribers of a
 * topic, and over beans of any kind.
 */
@NullMarked
package io.postbox.it.consumers;

import org.jspecify.annotations.NullMarked;
