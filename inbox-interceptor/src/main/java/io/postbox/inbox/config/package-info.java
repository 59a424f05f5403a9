/** Reads the configuration once, checks it, and hands it on as one immutable record. */
@NullMarked
package io.postbox.inbox.config;

import org.jspecify.annotations.NullMarked;
