/** What the README and the documents show is compiled, and is where they say. */
@NullMarked
package io.postbox.it.readme;

import org.jspecify.annotations.NullMarked;
