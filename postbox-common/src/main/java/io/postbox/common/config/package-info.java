/** Reads named configuration values, and reports all errors at once. */
@NullMarked
package io.postbox.common.config;

import org.jspecify.annotations.NullMarked;
