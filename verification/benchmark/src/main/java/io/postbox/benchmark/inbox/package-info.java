/** The other application that is measured: listeners with and without the inbox. */
@NullMarked
package io.postbox.benchmark.inbox;

import org.jspecify.annotations.NullMarked;
