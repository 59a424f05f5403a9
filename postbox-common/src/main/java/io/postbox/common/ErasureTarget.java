package io.postbox.common;

import java.io.Serializable;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The target of an erasure: messages, all about an aggregate, or all about a person. Immutable and
 * thread-safe.
 */
public sealed interface ErasureTarget extends Serializable {
  /** How many messages can be named at once. */
  int MOST_MESSAGES = 1_000;

  /**
   * Messages by their ids, with the copies that operators made of them by edits.
   *
   * @param ids in order
   */
  record Messages(SortedSet<String> ids) implements ErasureTarget {
    private static final long serialVersionUID = 1L;

    /** Keeps a copy. */
    public Messages {
      ids = Collections.unmodifiableSortedSet(new TreeSet<>(ids));
    }
  }

  /**
   * All about one aggregate.
   *
   * @param type for instance {@code Customer}
   * @param id its identity, as text
   */
  record Aggregate(String type, String id) implements ErasureTarget {
    private static final long serialVersionUID = 1L;

    /** Without the id, which may be personal. */
    @Override
    public String toString() {
      return "an aggregate of the type " + type;
    }
  }

  /**
   * All about one person.
   *
   * @param key the application's name for that person
   */
  record DataSubject(String key) implements ErasureTarget {
    private static final long serialVersionUID = 1L;

    /** Without the key, which is personal. */
    @Override
    public String toString() {
      return "a data subject";
    }
  }

  /**
   * Messages with these ids, and the copies that operators made of them by edits.
   *
   * @param ids texts or UUIDs: 1 to 1,000, each of 1 to 200 characters
   * @throws ErasureRefusedException if there are none or too many, or one is too long
   */
  static ErasureTarget messages(Collection<?> ids) {
    SortedSet<String> texts = new TreeSet<>();
    ids.forEach(id -> texts.add(checked("A message id", id.toString())));
    if (texts.isEmpty() || texts.size() > MOST_MESSAGES) {
      throw new ErasureRefusedException(
          "An erasure takes 1 to %s message ids, and not %s"
              .formatted(MOST_MESSAGES, texts.size()));
    }
    return new Messages(texts);
  }

  /**
   * All about one aggregate.
   *
   * @param type 1 to 200 characters
   * @param id its identity; the text form, 1 to 200 characters, is compared exactly
   * @throws ErasureRefusedException if one of them is empty or too long
   */
  static ErasureTarget aggregate(String type, Object id) {
    return new Aggregate(
        checked("An aggregate's type", type), checked("An aggregate's id", id.toString()));
  }

  /**
   * All about one person.
   *
   * @param key the application's name for that person at enqueue: 1 to 200 characters
   * @throws ErasureRefusedException if it is empty or too long
   */
  static ErasureTarget dataSubject(String key) {
    return new DataSubject(checked("A data subject's key", key));
  }

  private static String checked(String what, String text) {
    if (text.isBlank() || text.length() > 200) {
      throw new ErasureRefusedException(
          "%s has 1 to 200 characters, and this one has %s".formatted(what, text.length()));
    }
    return text;
  }
}
