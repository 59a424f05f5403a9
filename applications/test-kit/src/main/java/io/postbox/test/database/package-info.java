/** A database whose connections take part in JTA transactions of the test's JVM. */
@NullMarked
package io.postbox.test.database;

import org.jspecify.annotations.NullMarked;
