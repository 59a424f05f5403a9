/** Versions of aggregates that come too early and wait in the inbox's database. */
@NullMarked
package io.postbox.it.early;

import org.jspecify.annotations.NullMarked;
