/** The checks before the API: is the console on, who asks, from where, how much. */
@NullMarked
package io.postbox.console.http;

import org.jspecify.annotations.NullMarked;
