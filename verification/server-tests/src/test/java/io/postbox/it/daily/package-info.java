/** Ids that have a table for each day, on PostgreSQL. */
@NullMarked
package io.postbox.it.daily;

import org.jspecify.annotations.NullMarked;
