/** Work beside deliveries: counts, the guarantee check, health, housekeeping. */
@NullMarked
package io.postbox.inbox.watch;

import org.jspecify.annotations.NullMarked;
