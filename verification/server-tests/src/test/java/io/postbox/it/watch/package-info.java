/** The operator's view: backlog, switches, findings; in metrics, health data and the log. */
@NullMarked
package io.postbox.it.watch;

import org.jspecify.annotations.NullMarked;
