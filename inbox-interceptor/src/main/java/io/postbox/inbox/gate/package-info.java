/** When deliveries are let in: not while the database does not answer, nor while the stop lasts. */
@NullMarked
package io.postbox.inbox.gate;

import org.jspecify.annotations.NullMarked;
