/** Versions of aggregates that arrive in any order, at several instances at once. */
@NullMarked
package io.postbox.it.order;

import org.jspecify.annotations.NullMarked;
