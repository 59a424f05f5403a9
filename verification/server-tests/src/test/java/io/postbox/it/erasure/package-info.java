/** Somebody is erased in the middle of everything. */
@NullMarked
package io.postbox.it.erasure;

import org.jspecify.annotations.NullMarked;
