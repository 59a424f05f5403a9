/** Operators' access to parked and quarantined messages. */
@NullMarked
package io.postbox.inbox.kept;

import org.jspecify.annotations.NullMarked;
