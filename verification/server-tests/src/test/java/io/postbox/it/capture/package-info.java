/** Messages that are captured first and handled later. */
@NullMarked
package io.postbox.it.capture;

import org.jspecify.annotations.NullMarked;
