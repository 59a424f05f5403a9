/** Checks the README and the documents: snippets compile, links and names exist. */
@NullMarked
package io.postbox.it.readme;

import org.jspecify.annotations.NullMarked;
