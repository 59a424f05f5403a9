/**
 * The guarantee check: pure rules that tell from what is known of database and server which of them
 * could break the promise. What is known is gathered elsewhere.
 */
@NullMarked
package io.postbox.outbox.check;

import org.jspecify.annotations.NullMarked;
