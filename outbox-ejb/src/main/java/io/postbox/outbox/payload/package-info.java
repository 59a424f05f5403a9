/** Payloads that are not sent as their row holds them: loaded, or decrypted, by the application. */
@NullMarked
package io.postbox.outbox.payload;

import org.jspecify.annotations.NullMarked;
