package io.postbox.inbox.message;

import org.jspecify.annotations.Nullable;

/**
 * The aggregate that a message concerns.
 *
 * @param type of the aggregate, 1 to 200 characters
 * @param id which one of these, 1 to 200 characters
 * @param version of it after the event, if known
 */
public record Subject(String type, String id, @Nullable Long version) {}
