/** Reads and validates the configuration once, as one immutable record. */
@NullMarked
package io.postbox.outbox.config;

import org.jspecify.annotations.NullMarked;
