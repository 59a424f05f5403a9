/** The shell around the idempotent receiver: the CDI interceptors and the beans that call it. */
@NullMarked
package io.postbox.inbox.interceptor;

import org.jspecify.annotations.NullMarked;
