/**
 * Kills the sample's server with SIGKILL, again and again, under load, and checks what is left.
 *
 * <p>{@link io.postbox.it.crash.Load} orders over HTTP and writes into a {@link
 * io.postbox.it.crash.History} what it was answered; {@link io.postbox.it.crash.LibertyProcess} is
 * the server that dies; {@link io.postbox.it.crash.Campaign} decides when. What was answered and
 * what the database holds in the end go into {@link io.postbox.it.crash.Checker}, which is a
 * function of these two alone and knows nothing of servers.
 *
 * <p>With {@link io.postbox.it.crash.Nodes} several servers share one database: one of them dies,
 * stands still, or is told to stop, and the other goes on. The same history and the same checker
 * judge what becomes of an {@link io.postbox.it.crash.Application} that leaves a server that runs.
 */
@NullMarked
package io.postbox.it.crash;

import org.jspecify.annotations.NullMarked;
