/**
 * The thin shell: the CDI beans and the EJB that bind the outbox to the application server. All
 * look-ups are here, and no decisions.
 */
@NullMarked
package io.postbox.outbox.server;

import org.jspecify.annotations.NullMarked;
