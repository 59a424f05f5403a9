/**
 * Kills the sample's server with SIGKILL, again and again, under load, and checks what is left.
 *
 * <p>Here, in {@code src/main}, is what judges: what clients were answered ({@link
 * io.postbox.it.crash.History}), what was sent ({@link io.postbox.it.crash.Sent}) and what the
 * database and the queues hold in the end ({@link io.postbox.it.crash.FinalState}) go into {@link
 * io.postbox.it.crash.Checker}, which is a function of these alone and knows nothing of servers.
 *
 * <p>In {@code src/test} is what is done: {@code Load} orders over HTTP, {@code LibertyProcess} is
 * the server that dies, {@code Campaign} decides when. With {@code Nodes} several servers share one
 * database: one of them dies, stands still, or is told to stop, and the other goes on. The same
 * history and the same checker judge what becomes of an {@code Application} that leaves a server
 * that runs.
 */
@NullMarked
package io.postbox.it.crash;

import org.jspecify.annotations.NullMarked;
