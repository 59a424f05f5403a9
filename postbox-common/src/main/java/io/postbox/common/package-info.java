/** What users of either module see, and what is the same for both. */
@NullMarked
package io.postbox.common;

import org.jspecify.annotations.NullMarked;
