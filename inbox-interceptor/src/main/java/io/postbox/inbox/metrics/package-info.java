/** The inbox's metrics, if the server has a metric registry. */
@NullMarked
package io.postbox.inbox.metrics;

import org.jspecify.annotations.NullMarked;
