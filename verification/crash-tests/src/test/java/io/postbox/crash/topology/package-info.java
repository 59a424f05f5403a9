/**
 * The servers of a test with their database, their broker and the network between them: made,
 * started, disturbed, awaited at rest, and closed together.
 */
@NullMarked
package io.postbox.crash.topology;

import org.jspecify.annotations.NullMarked;
