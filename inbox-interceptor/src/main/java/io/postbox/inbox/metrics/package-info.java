/** The numbers of the inbox in a metric registry, where the server has one. */
@NullMarked
package io.postbox.inbox.metrics;

import org.jspecify.annotations.NullMarked;
