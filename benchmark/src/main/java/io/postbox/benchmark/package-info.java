/** The application that is measured: it enqueues, sends and listens as it is told. */
@NullMarked
package io.postbox.benchmark;

import org.jspecify.annotations.NullMarked;
