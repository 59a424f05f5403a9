package io.postbox.inbox.metrics;

import java.util.function.Supplier;

/** Publishes numbers, if there is a metrics system. */
public interface GaugeRegistry {

  /**
   * Publishes a number.
   *
   * @param name the part after {@code postbox_inbox_}
   * @param value called at each scrape, so it must be cheap and without side effects
   */
  void show(String name, String description, Supplier<Integer> value);

  /**
   * Publishes a number of a consumer.
   *
   * @param name the part after {@code postbox_inbox_}
   * @param value called at each scrape, so it must be cheap and without side effects
   */
  void showOf(String consumer, String name, String description, Supplier<Integer> value);
}
