package io.postbox.it.kept;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The handler: it notes a text, or rejects it. */
@ApplicationScoped
public class Desk {
  private final List<String> handled = new CopyOnWriteArrayList<>();
  private final Set<String> obstacles = ConcurrentHashMap.newKeySet();
  private final Set<String> unwanted = ConcurrentHashMap.newKeySet();

  /** Rejects a text from now on. */
  public void reject(String text) {
    unwanted.add(text);
  }

  /** Takes it from now on. */
  public void mend(String text) {
    unwanted.remove(text);
  }

  /** Fails at a text from now on, in a way that may pass. */
  public void stumble(String text) {
    obstacles.add(text);
  }

  boolean stumblesAt(String text) {
    return obstacles.contains(text);
  }

  boolean isUnwanted(String text) {
    return unwanted.contains(text);
  }

  void handle(String text) {
    handled.add(text);
  }

  /** How often a text was handled. */
  public long handled(String text) {
    return handled.stream().filter(text::equals).count();
  }
}
