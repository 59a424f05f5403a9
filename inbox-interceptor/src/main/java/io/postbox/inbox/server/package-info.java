/** Access to the server: JNDI, threads, endpoints and settings. */
@NullMarked
package io.postbox.inbox.server;

import org.jspecify.annotations.NullMarked;
