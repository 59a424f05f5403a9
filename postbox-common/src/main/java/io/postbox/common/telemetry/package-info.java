/**
 * The adapters to systems that a server may lack. Each of their APIs is known to the classes that
 * are called after it, and to no other, so that the server loads none of them without it.
 */
@NullMarked
package io.postbox.common.telemetry;

import org.jspecify.annotations.NullMarked;
