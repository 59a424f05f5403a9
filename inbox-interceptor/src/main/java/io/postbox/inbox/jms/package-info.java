/**
 * Reads JMS messages: the id, the fingerprint of the body, and all that a quarantined message
 * keeps.
 */
@NullMarked
package io.postbox.inbox.jms;

import org.jspecify.annotations.NullMarked;
