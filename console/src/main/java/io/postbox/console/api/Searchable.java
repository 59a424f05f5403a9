package io.postbox.console.api;

import io.postbox.common.AuditTrail;
import io.postbox.common.LookupPage;
import io.postbox.console.http.Json;
import io.postbox.console.http.Query;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Where messages and actions can be looked up. A bean where the module is there. */
public interface Searchable {
  /** No message. */
  LookupPage<Json> NOTHING = new LookupPage<>(List.of(), Optional.empty(), Optional.empty());

  /** {@code outbox} or {@code inbox}. */
  String module();

  /**
   * Messages; none if the module does not store what is asked for.
   *
   * @param after {@link LookupPage#next} of the page before; empty for the first one
   */
  LookupPage<Json> find(Query query, String after, int size);

  /** A page as the API writes it. */
  static <T> LookupPage<Json> json(LookupPage<T> page, Function<T, Json> form) {
    return new LookupPage<>(page.items().stream().map(form).toList(), page.next(), page.note());
  }

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
