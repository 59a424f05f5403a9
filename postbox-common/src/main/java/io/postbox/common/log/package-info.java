/** Log lines that cannot be forged and reveal no payload. */
@NullMarked
package io.postbox.common.log;

import org.jspecify.annotations.NullMarked;
