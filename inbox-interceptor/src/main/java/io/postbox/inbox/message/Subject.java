package io.postbox.inbox.message;

import org.jspecify.annotations.Nullable;

/**
 * The aggregate that a message concerns.
 *
 * @param type the aggregate's type, 1 to 200 characters
 * @param id the aggregate's id, 1 to 200 characters
 * @param version the aggregate's version after the event, if known
 */
public record Subject(String type, String id, @Nullable Long version) {}
