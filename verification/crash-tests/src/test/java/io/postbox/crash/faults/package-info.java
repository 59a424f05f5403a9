/**
 * The faults that are injected: into a server, a named point in it, a handler, a database, a
 * broker, the network or a disk.
 */
@NullMarked
package io.postbox.crash.faults;

import org.jspecify.annotations.NullMarked;
