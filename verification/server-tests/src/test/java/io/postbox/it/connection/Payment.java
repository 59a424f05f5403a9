package io.postbox.it.connection;

/**
 * A transaction's view of itself.
 *
 * @param sessions of the database
 * @param paid how many purchases a query found paid before the commit
 * @param woven whether the provider's weaver has changed the entity's class
 */
public record Payment(Sessions sessions, long paid, boolean woven) {}
