/** An application whose messages a connector sends, on PostgreSQL. */
@NullMarked
package io.postbox.it.cdc;

import org.jspecify.annotations.NullMarked;
