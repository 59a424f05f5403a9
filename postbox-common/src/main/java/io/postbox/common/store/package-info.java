/** The SQL statements that both modules run. */
@NullMarked
package io.postbox.common.store;

import org.jspecify.annotations.NullMarked;
