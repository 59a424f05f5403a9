/**
 * Kills servers, brokers and databases under load, and checks what is left.
 *
 * <p>{@code campaign} plays rounds of {@code faults} in a mode, {@code soak} plays them for an hour
 * and looks for growth, {@code bugs} seeds mistakes that the checker has to find, and each class of
 * {@code scenario} tests one situation. All of them run the servers of {@code topology} and tell a
 * person with {@code report}; {@code load} and {@code deployed} are the hostile client and the
 * classes that run within the servers. The checker, the clients and the server's process are
 * testkit's. {@link io.postbox.crash.PackagesTest} holds the direction in which these depend on
 * each other.
 */
@NullMarked
package io.postbox.crash;

import org.jspecify.annotations.NullMarked;
