/**
 * Mistakes that an outbox or an inbox could make, seeded into a running server: the checker has to
 * find each.
 */
@NullMarked
package io.postbox.crash.bugs;

import org.jspecify.annotations.NullMarked;
