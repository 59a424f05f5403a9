/** Batches of messages that arrive without JMS, and what is stored of where they come from. */
@NullMarked
package io.postbox.it.batch;

import org.jspecify.annotations.NullMarked;
