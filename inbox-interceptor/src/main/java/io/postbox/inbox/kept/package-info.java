/** Parked and quarantined messages, as the application's users handle them. */
@NullMarked
package io.postbox.inbox.kept;

import org.jspecify.annotations.NullMarked;
