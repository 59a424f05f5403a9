/** Parked and quarantined messages, by the hand of an operator. */
@NullMarked
package io.postbox.it.kept;

import org.jspecify.annotations.NullMarked;
