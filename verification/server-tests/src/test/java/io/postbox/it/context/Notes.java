package io.postbox.it.context;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes of handlers and outside systems about a text, rolled back or not. */
@ApplicationScoped
public class Notes {
  private final Map<String, List<String>> notes = new ConcurrentHashMap<>();

  /** Notes something. */
  public void add(String about, String note) {
    notes.computeIfAbsent(about, key -> new CopyOnWriteArrayList<>()).add(note);
  }

  /** All notes about it, in order. */
  public List<String> about(String about) {
    return notes.getOrDefault(about, List.of());
  }
}
