/**
 * What tests within the server look at: database, broker, metrics, log. Packed into each archive.
 */
@NullMarked
package io.postbox.it.tools;

import org.jspecify.annotations.NullMarked;
