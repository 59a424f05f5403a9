package io.postbox.it.war;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The texts that the listener has heard. */
@ApplicationScoped
public class Heard {
  private final List<String> texts = new CopyOnWriteArrayList<>();

  /** One more. */
  public void add(String text) {
    texts.add(text);
  }

  /** All so far. */
  public List<String> texts() {
    return texts;
  }
}
