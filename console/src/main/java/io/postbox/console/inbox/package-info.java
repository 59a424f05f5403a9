/** The inbox's half; left out where the application has no inbox. */
@NullMarked
package io.postbox.console.inbox;

import org.jspecify.annotations.NullMarked;
