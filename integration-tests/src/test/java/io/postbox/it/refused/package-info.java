/** What the modules do not start with, and what they say then. */
@NullMarked
package io.postbox.it.refused;

import org.jspecify.annotations.NullMarked;
