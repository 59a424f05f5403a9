/** A server whose deliveries a Java agent traces. */
@NullMarked
package io.postbox.it.agent;

import org.jspecify.annotations.NullMarked;
