/** What the inbox needs of the server it runs in: JNDI, threads, endpoints, its settings. */
@NullMarked
package io.postbox.inbox.server;

import org.jspecify.annotations.NullMarked;
