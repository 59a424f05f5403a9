package io.postbox.inbox.message;

/**
 * Which version of what a message is about.
 *
 * @param type 1 to 200 characters
 * @param id 1 to 200 characters
 * @param version of the aggregate after what the message tells of
 */
public record Aggregate(String type, String id, long version) {}
