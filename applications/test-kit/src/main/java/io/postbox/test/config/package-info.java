/** Settings of a test, read by the modules' own readers. */
@NullMarked
package io.postbox.test.config;

import org.jspecify.annotations.NullMarked;
