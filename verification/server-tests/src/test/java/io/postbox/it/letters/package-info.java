/** Dead letters and switches, by the hand of an operator. */
@NullMarked
package io.postbox.it.letters;

import org.jspecify.annotations.NullMarked;
