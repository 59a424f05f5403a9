/** How captured messages that wait are counted, limited and administered. */
@NullMarked
package io.postbox.it.backlog;

import org.jspecify.annotations.NullMarked;
