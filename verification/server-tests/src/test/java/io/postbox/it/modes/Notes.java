package io.postbox.it.modes;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The listeners' notes, rolled back or not, by the message's tag. */
final class Notes {
  private static final Map<String, List<String>> NOTES = new ConcurrentHashMap<>();

  private Notes() {}

  /** Notes something and returns its number, from 1. */
  static synchronized int add(String tag, String note) {
    List<String> notes = NOTES.computeIfAbsent(tag, it -> new CopyOnWriteArrayList<>());
    notes.add(note);
    return notes.size();
  }

  static List<String> of(String tag) {
    return NOTES.getOrDefault(tag, List.of());
  }
}
