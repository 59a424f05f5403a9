package io.postbox.it.crash;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a seeded bug does in the server that a rule cannot say. */
public final class Spoiler {
  private Spoiler() {}

  /** The same in another order. */
  public static List<Object> backwards(List<?> batch) {
    List<Object> backwards = new ArrayList<>(batch);
    Collections.reverse(backwards);
    return backwards;
  }
}
