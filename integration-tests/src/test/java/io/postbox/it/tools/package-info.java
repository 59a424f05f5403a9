/**
 * What tests within the server look at: database, broker, metrics, log. Packed into each archive.
 */
package io.postbox.it.tools;
