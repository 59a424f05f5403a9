/**
 * The start of the inbox in one application: what is guarded, is it allowed, are the tables ready.
 */
@NullMarked
package io.postbox.inbox.startup;

import org.jspecify.annotations.NullMarked;
