package io.postbox.crash.topology;

import io.postbox.testkit.database.Backend;

/**
 * A backend and the network on the servers' way to it.
 *
 * @param name what it is to the servers: {@code DATABASE} or {@code BROKER}
 */
public record LinkedBackend(String name, Backend process, Link link) {}
