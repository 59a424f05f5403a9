/** Domain rows and messages share one physical connection and one local commit. */
@NullMarked
package io.postbox.it.connection;

import org.jspecify.annotations.NullMarked;
