/** Announces when and where the sample answers. */
@NullMarked
package io.postbox.sample.start;

import org.jspecify.annotations.NullMarked;
