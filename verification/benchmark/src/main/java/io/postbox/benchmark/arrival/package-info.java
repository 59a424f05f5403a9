/** When messages arrive: part of both applications. */
@NullMarked
package io.postbox.benchmark.arrival;

import org.jspecify.annotations.NullMarked;
