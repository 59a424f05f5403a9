/** Tests of the operations, on the real databases. */
@NullMarked
package io.postbox.outbox.ops;

import org.jspecify.annotations.NullMarked;
