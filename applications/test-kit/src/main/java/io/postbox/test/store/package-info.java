/** Every SQL statement of the kit: the test's clock in the database, and what tests ask. */
@NullMarked
package io.postbox.test.store;

import org.jspecify.annotations.NullMarked;
