/** Answers repeated HTTP requests with the first response. */
@NullMarked
package io.postbox.inbox.http;

import org.jspecify.annotations.NullMarked;
