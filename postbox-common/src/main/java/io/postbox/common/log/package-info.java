/** Lines of a log that cannot be forged and give nothing away. */
@NullMarked
package io.postbox.common.log;

import org.jspecify.annotations.NullMarked;
