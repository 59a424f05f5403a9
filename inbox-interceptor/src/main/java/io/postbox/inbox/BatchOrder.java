package io.postbox.inbox;

/**
 * The messages of a batch that {@link InboxGuard#handleAll} does not handle, because one before
 * them failed.
 */
public enum BatchOrder {
  /**
   * Those of the same {@link InboxRequest#orderedBy ordering key}, topic and consumer. All others
   * are handled, so one failing message holds up no other key; they are skipped as duplicates if
   * the caller brings them again.
   */
  BY_KEY,
  /**
   * All that follow it in its {@link InboxRequest#from partition}; those without a partition count
   * as one for each topic or queue, and those without a topic as one. Other partitions go on.
   */
  BY_PARTITION
}
