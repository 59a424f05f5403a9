/**
 * The start of the inbox in one application: finds the guarded methods, checks them, prepares the
 * tables.
 */
@NullMarked
package io.postbox.inbox.startup;

import org.jspecify.annotations.NullMarked;
