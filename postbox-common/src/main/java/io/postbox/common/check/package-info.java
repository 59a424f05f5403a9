/** The guarantee check: from facts to findings. */
@NullMarked
package io.postbox.common.check;

import org.jspecify.annotations.NullMarked;
