/** What PostgreSQL's driver lacks for XA: it lies beside the driver in the server. */
@NullMarked
package io.postbox.postgresql;

import org.jspecify.annotations.NullMarked;
