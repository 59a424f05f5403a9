/** The inbox's metrics, if the server has a system for them. */
@NullMarked
package io.postbox.inbox.metrics;

import org.jspecify.annotations.NullMarked;
