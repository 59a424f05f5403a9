package io.postbox.it.crash;

/**
 * A backend and the network on the servers' way to it.
 *
 * @param name what it is to the servers: {@code DATABASE} or {@code BROKER}
 */
record LinkedBackend(String name, Backend process, Link link) {}
