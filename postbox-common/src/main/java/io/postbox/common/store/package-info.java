/** The SQL statements that are alike in both modules. */
@NullMarked
package io.postbox.common.store;

import org.jspecify.annotations.NullMarked;
