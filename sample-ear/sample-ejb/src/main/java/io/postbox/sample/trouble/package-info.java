/**
 * Troubles that a visitor of the sample causes on purpose. An application of your own has nothing
 * like it.
 */
@NullMarked
package io.postbox.sample.trouble;

import org.jspecify.annotations.NullMarked;
