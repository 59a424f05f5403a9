package io.postbox.common;

/**
 * The record of people's actions: the entries of {@code postbox_audit}, in the module's tables.
 * Modules that share a schema share that table, and either lists the entries of both. Thread-safe.
 * Reads only, in a transaction of its own, beside the caller's. It does not check who calls it: put
 * your own security before it.
 */
public interface AuditTrail {

  /**
   * Lists entries, the newest first. A page examines up to 10,000 entries from where it begins, and
   * may thus have few or none, and the search go on: name the times between which to search.
   *
   * @param filter selects the entries
   * @param after {@link LookupPage#next} of the previous page, for the same filter; empty for the
   *     first page
   * @param size how many entries to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds, or if the place to continue is
   *     not one of this filter
   * @throws RuntimeException if the tables cannot be read: {@code OutboxException} or {@code
   *     InboxException}
   */
  LookupPage<AuditEntry> find(AuditFilter filter, String after, int size);
}
