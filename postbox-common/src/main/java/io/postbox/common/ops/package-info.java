/** Counting, checking and acting by hand: what is alike in both modules. */
@NullMarked
package io.postbox.common.ops;

import org.jspecify.annotations.NullMarked;
