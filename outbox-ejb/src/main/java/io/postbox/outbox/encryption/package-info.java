/** Encryption of a row's contents, bound to that row. */
@NullMarked
package io.postbox.outbox.encryption;

import org.jspecify.annotations.NullMarked;
