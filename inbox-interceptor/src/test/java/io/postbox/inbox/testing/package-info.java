/** Help for the tests of several rooms. */
@NullMarked
package io.postbox.inbox.testing;

import org.jspecify.annotations.NullMarked;
