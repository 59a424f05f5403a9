/** The code that the tests of all three modules share. */
@org.jspecify.annotations.NullMarked
package io.postbox.common.testing;
