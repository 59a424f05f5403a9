/** The outbox's half; left out where the application has no outbox. */
@NullMarked
package io.postbox.console.outbox;

import org.jspecify.annotations.NullMarked;
