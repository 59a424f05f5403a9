/**
 * The journey of one order, read from what the outbox, the inbox and the shop's own tables know of
 * it. The decision is a pure function ({@link io.postbox.sample.journey.Stations}).
 */
@NullMarked
package io.postbox.sample.journey;

import org.jspecify.annotations.NullMarked;
