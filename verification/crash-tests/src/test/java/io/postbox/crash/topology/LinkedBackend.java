package io.postbox.crash.topology;

import io.postbox.testkit.database.Backend;

/**
 * A backend and the network on the servers' way to it.
 *
 * @param name its role for the servers: {@code DATABASE} or {@code BROKER}
 */
public record LinkedBackend(String name, Backend process, Link link) {}
