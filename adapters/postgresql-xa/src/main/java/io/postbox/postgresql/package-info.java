/** Adds to PostgreSQL's driver the parts that it lacks for XA, beside the driver in the server. */
@NullMarked
package io.postbox.postgresql;

import org.jspecify.annotations.NullMarked;
