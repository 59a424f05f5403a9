/**
 * Encryption of what a row holds, bound to that row: for whoever writes it and whoever reads it.
 */
@NullMarked
package io.postbox.outbox.encryption;

import org.jspecify.annotations.NullMarked;
