/**
 * The thin shell: the CDI beans and the EJB that bind the outbox to the application server. It
 * makes all look-ups and no decisions.
 */
@NullMarked
package io.postbox.outbox.server;

import org.jspecify.annotations.NullMarked;
