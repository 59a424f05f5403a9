/** Reads named values of the configuration, and says all that is wrong with them. */
@NullMarked
package io.postbox.common.config;

import org.jspecify.annotations.NullMarked;
