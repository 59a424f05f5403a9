/** What tests of several rooms need. */
@NullMarked
package io.postbox.inbox.testing;

import org.jspecify.annotations.NullMarked;
