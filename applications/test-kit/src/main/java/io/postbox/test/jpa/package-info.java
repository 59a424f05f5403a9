/** Persistence contexts of JTA transactions, with the application's own persistence provider. */
@NullMarked
package io.postbox.test.jpa;

import org.jspecify.annotations.NullMarked;
