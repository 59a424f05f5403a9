package io.postbox.it.connection;

/**
 * What a transaction has seen of itself.
 *
 * @param sessions of the database
 * @param paid how many purchases a query found paid before the commit
 * @param woven whether the provider's weaver has changed the entity's class
 */
public record Payment(Sessions sessions, long paid, boolean woven) {}
