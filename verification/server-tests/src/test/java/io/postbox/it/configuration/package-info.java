/** Servers of their own, with other features or a stricter configuration than the shared one. */
@NullMarked
package io.postbox.it.configuration;

import org.jspecify.annotations.NullMarked;
