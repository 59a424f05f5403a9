package io.postbox.inbox.message;

/**
 * The version of the aggregate that a message concerns.
 *
 * @param type 1 to 200 characters
 * @param id 1 to 200 characters
 * @param version the aggregate's version after the event
 */
public record Aggregate(String type, String id, long version) {}
