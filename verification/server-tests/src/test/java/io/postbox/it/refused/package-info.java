/** Deployments that the modules refuse, and the sentence with which they do. */
@NullMarked
package io.postbox.it.refused;

import org.jspecify.annotations.NullMarked;
