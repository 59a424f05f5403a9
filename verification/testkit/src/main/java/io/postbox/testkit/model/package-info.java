/**
 * Judges a run from the outside: the answers that clients got ({@link
 * io.postbox.testkit.model.History}), the messages that brokers took ({@link
 * io.postbox.testkit.model.Sent}) and the contents of database and queues in the end ({@link
 * io.postbox.testkit.model.FinalState}) go into {@link io.postbox.testkit.model.Checker}, which is
 * a function of these alone and knows nothing of servers.
 */
@NullMarked
package io.postbox.testkit.model;

import org.jspecify.annotations.NullMarked;
