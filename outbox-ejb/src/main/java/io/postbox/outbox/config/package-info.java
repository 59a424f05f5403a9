/** Reads the configuration once, checks it, and hands it on as one immutable record. */
@NullMarked
package io.postbox.outbox.config;

import org.jspecify.annotations.NullMarked;
