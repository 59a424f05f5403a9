/** Compares messages, and describes them for failure texts. */
@NullMarked
package io.postbox.test.message;

import org.jspecify.annotations.NullMarked;
