/**
 * Tests of an application's own beans with the real outbox and inbox, without a server: {@link
 * io.postbox.test.RecordingOutbox} for what a bean enqueues, {@link io.postbox.test.InboxHarness}
 * for a handler, {@link io.postbox.test.PostboxTest} for beans together.
 *
 * <p>Only this package is the kit's API; the packages beneath it are rooms of the house.
 */
@NullMarked
package io.postbox.test;

import org.jspecify.annotations.NullMarked;
