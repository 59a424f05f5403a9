/**
 * Rounds of faults, drawn from a seed, in each mode: a database, a broker and a number of servers.
 */
@NullMarked
package io.postbox.crash.campaign;

import org.jspecify.annotations.NullMarked;
