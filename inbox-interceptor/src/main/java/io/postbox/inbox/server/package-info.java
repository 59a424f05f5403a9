/** Access to the server: JNDI, threads, endpoints, settings. */
@NullMarked
package io.postbox.inbox.server;

import org.jspecify.annotations.NullMarked;
