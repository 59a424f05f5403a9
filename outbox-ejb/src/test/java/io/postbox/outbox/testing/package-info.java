/** Real databases, fakes and counters that the tests of several packages share. */
@NullMarked
package io.postbox.outbox.testing;

import org.jspecify.annotations.NullMarked;
