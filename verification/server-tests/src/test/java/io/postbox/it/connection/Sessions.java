package io.postbox.it.connection;

/**
 * Which sessions of the database one transaction has used.
 *
 * @param domain that of the domain's statements
 * @param injected that of an injected data source, after the domain's statements
 * @param lookedUp that of the data source by its global name, after the message was enqueued
 */
public record Sessions(String domain, String injected, String lookedUp) {}
