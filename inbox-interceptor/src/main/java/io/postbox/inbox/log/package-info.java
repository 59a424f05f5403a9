/** Every log line of the inbox, with its id. */
@NullMarked
package io.postbox.inbox.log;

import org.jspecify.annotations.NullMarked;
