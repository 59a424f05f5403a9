package io.postbox.inbox.metrics;

import java.util.function.Supplier;

/** Where numbers can be seen, if the server has such a place. */
public interface GaugeRegistry {

  /**
   * Shows a number.
   *
   * @param name what follows {@code postbox_inbox_}
   * @param value asked whenever somebody looks, so it may not do anything
   */
  void show(String name, String description, Supplier<Integer> value);
}
