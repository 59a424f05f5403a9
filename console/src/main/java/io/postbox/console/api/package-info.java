/** The answers of the REST API, of the outbox, the inbox and both. */
@NullMarked
package io.postbox.console.api;

import org.jspecify.annotations.NullMarked;
