/** What surrounds the server: the database that it uses, and the archives that are deployed. */
@NullMarked
package io.postbox.it.frame;

import org.jspecify.annotations.NullMarked;
