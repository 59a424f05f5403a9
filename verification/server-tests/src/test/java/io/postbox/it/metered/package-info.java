/** Metrics in Micrometer, which the application brings. */
@NullMarked
package io.postbox.it.metered;

import org.jspecify.annotations.NullMarked;
