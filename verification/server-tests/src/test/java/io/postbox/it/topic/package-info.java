/** Two applications with one consumer name on one topic. */
@NullMarked
package io.postbox.it.topic;

import org.jspecify.annotations.NullMarked;
