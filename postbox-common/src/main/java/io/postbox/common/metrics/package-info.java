/** What modules measure, whatever metrics system the server has. */
@NullMarked
package io.postbox.common.metrics;

import org.jspecify.annotations.NullMarked;
