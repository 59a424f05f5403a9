/** The surroundings of the server: its databases, and the archives that are deployed. */
@NullMarked
package io.postbox.it.frame;

import org.jspecify.annotations.NullMarked;
