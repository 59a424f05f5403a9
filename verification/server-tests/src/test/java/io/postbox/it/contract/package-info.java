/** The message contract on the wire. */
@NullMarked
package io.postbox.it.contract;

import org.jspecify.annotations.NullMarked;
