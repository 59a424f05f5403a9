/** Messages without JMS that are captured first and handled later. */
@NullMarked
package io.postbox.it.guard;

import org.jspecify.annotations.NullMarked;
