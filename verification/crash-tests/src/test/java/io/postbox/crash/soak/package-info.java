/** Load and faults for an hour on servers whose resources may not grow. */
@NullMarked
package io.postbox.crash.soak;

import org.jspecify.annotations.NullMarked;
