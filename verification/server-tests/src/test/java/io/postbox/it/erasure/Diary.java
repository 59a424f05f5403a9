package io.postbox.it.erasure;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The texts that handlers were given. */
@ApplicationScoped
public class Diary {
  private final List<String> handled = new CopyOnWriteArrayList<>();
  private final Set<String> stumbled = ConcurrentHashMap.newKeySet();

  /** Notes that a text was handled. */
  public void handle(String text) {
    handled.add(text);
  }

  /** Whether a text comes for the first time. */
  public boolean stumblesAt(String text) {
    return stumbled.add(text);
  }

  /** The handled texts, in any order. */
  public List<String> handled() {
    return handled;
  }
}
