package io.postbox.inbox.message;

import org.jspecify.annotations.Nullable;

/**
 * What a message is about.
 *
 * @param type of the aggregate, 1 to 200 characters
 * @param id which one of these, 1 to 200 characters
 * @param version of it after what the message tells of, where that is known
 */
public record Subject(String type, String id, @Nullable Long version) {}
