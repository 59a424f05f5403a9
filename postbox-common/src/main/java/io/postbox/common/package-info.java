/** The API that both modules share. */
@NullMarked
package io.postbox.common;

import org.jspecify.annotations.NullMarked;
