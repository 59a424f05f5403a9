/**
 * The sample as its users see it, and clients that order under a steady load and write down each
 * answer.
 */
@NullMarked
package io.postbox.testkit.sample;

import org.jspecify.annotations.NullMarked;
