package io.postbox.inbox.message;

/**
 * The row of a message that the inbox has stored.
 *
 * @param id its id
 * @param generation how often it was handed back when this delivery of it was made
 */
public record StoredRow(long id, int generation) {}
