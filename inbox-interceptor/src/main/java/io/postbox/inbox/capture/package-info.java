/** Which captured message a worker takes next. */
@NullMarked
package io.postbox.inbox.capture;

import org.jspecify.annotations.NullMarked;
