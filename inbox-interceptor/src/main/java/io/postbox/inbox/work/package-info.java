/** Which stored message a worker takes next. */
@NullMarked
package io.postbox.inbox.work;

import org.jspecify.annotations.NullMarked;
