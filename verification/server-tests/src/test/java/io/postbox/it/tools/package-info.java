/**
 * Access to database, broker, metrics and log for tests within the server. Packed into each
 * archive.
 */
@NullMarked
package io.postbox.it.tools;

import org.jspecify.annotations.NullMarked;
