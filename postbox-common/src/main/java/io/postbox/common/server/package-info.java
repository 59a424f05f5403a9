/** What both modules ask of the server. */
@NullMarked
package io.postbox.common.server;

import org.jspecify.annotations.NullMarked;
