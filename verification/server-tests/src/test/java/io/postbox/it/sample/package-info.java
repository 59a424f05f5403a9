/** The sample as it is, used as a visitor uses it. */
@NullMarked
package io.postbox.it.sample;

import org.jspecify.annotations.NullMarked;
