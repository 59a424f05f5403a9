/** The business transaction and the outbox: both or neither, from every kind of caller. */
package io.postbox.it.business;
