/** The metrics of the modules, for any metrics system of the server. */
@NullMarked
package io.postbox.common.metrics;

import org.jspecify.annotations.NullMarked;
