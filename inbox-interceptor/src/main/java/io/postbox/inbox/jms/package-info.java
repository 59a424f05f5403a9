/**
 * Reads and resends JMS messages: ids, fingerprints of bodies, stored contents, delayed retries and
 * replies.
 */
@NullMarked
package io.postbox.inbox.jms;

import org.jspecify.annotations.NullMarked;
