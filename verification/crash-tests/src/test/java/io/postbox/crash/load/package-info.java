/** The hostile client that works beside those of the sample. */
@NullMarked
package io.postbox.crash.load;

import org.jspecify.annotations.NullMarked;
