/** Counting, health checks and operators' actions, as far as they are the same in both modules. */
@NullMarked
package io.postbox.common.ops;

import org.jspecify.annotations.NullMarked;
