/** The example of a WAR, built and run as its reader would. */
@NullMarked
package io.postbox.it.minimal;

import org.jspecify.annotations.NullMarked;
