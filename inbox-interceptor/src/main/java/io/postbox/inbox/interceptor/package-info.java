/** The shell that binds the core to the server: interceptor, start-up, transaction, connections. */
@NullMarked
package io.postbox.inbox.interceptor;

import org.jspecify.annotations.NullMarked;
