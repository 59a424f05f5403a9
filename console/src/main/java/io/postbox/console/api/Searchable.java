package io.postbox.console.api;

import io.postbox.common.AuditTrail;
import io.postbox.console.http.Query;
import java.util.List;
import java.util.Optional;

/** Where messages and actions can be looked up. A bean where the module is there. */
public interface Searchable {
  /** {@code outbox} or {@code inbox}. */
  String module();

  /**
   * Messages; none if the module does not store what is asked for.
   *
   * @param after {@link Found#next} of the page before; empty for the first one
   */
  Found find(Query query, String after, int size);

  /** The life of one message here. */
  Life life(String id);

  /** The record of people's actions. */
  AuditTrail audit();

  /**
   * The life of one message in one module.
   *
   * @param known whether there is anything of it
   * @param events in any order
   * @param note the part that is not known, and why
   */
  record Life(boolean known, List<LifeEvent> events, Optional<String> note) {
    /** Nobody has heard of it. */
    public static final Life UNKNOWN = new Life(false, List.of(), Optional.empty());

    /** Keeps a copy. */
    public Life {
      events = List.copyOf(events);
    }
  }
}
