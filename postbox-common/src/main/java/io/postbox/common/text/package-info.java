/** Texts that can be stored and shown as they are. */
@NullMarked
package io.postbox.common.text;

import org.jspecify.annotations.NullMarked;
