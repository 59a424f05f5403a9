/** Taking orders, and learning what became of them. */
@NullMarked
package io.postbox.sample.orders;

import org.jspecify.annotations.NullMarked;
