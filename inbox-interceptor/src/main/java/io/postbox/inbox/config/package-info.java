/** Reads and validates the configuration once, as one immutable record. */
@NullMarked
package io.postbox.inbox.config;

import org.jspecify.annotations.NullMarked;
