/** The application that is measured: it enqueues, sends and listens on request. */
@NullMarked
package io.postbox.benchmark;

import org.jspecify.annotations.NullMarked;
