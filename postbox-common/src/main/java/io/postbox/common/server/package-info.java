/** Access to the server that both modules need. */
@NullMarked
package io.postbox.common.server;

import org.jspecify.annotations.NullMarked;
