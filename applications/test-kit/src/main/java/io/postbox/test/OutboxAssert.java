package io.postbox.test;

import io.postbox.outbox.OutboxMessage;
import io.postbox.test.message.Differences;
import io.postbox.test.message.Recorded;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a {@link RecordingOutbox} should have got. An expected message is written as
 * the application writes it, with {@link OutboxMessage}; a part that it does not set may be
 * anything. Each assertion takes a message that none before it in the chain has taken, so that the
 * same one twice asserts two messages.
 */
public final class OutboxAssert extends AbstractAssert<OutboxAssert, RecordingOutbox> {
  /** One for all, never closed, because opening it takes longer than most tests. */
  private static final Jsonb READER = JsonbBuilder.create();

  private final List<Recorded> messages;
  private final Set<Integer> taken = new HashSet<>();

  OutboxAssert(RecordingOutbox outbox) {
    super(outbox, OutboxAssert.class);
    messages = outbox.recorded();
  }

  /**
   * A message like this one was enqueued.
   *
   * @param expected its payload is compared as an object: as the JSON of {@code json(…)}, the
   *     characters of {@code text(…)}, the octets of {@code bytes(…)}
   */
  public OutboxAssert enqueued(OutboxMessage expected) {
    take(expected, 0);
    return this;
  }

  /**
   * A message like this one was enqueued, and its payload meets requirements.
   *
   * @param expected without a payload, or with one that is compared too
   * @param type the class that JSON-B reads the payload as
   * @param requirements assertions on the payload
   */
  public <T> OutboxAssert enqueued(
      OutboxMessage expected, Class<T> type, Consumer<T> requirements) {
    Recorded found = messages.get(take(expected, 0));
    requirements.accept(read(found, type));
    return this;
  }

  /** Messages like these were enqueued in this order; others may be between them. */
  public OutboxAssert enqueuedInOrder(OutboxMessage... expected) {
    int from = 0;
    for (OutboxMessage each : expected) {
      from = take(each, from) + 1;
    }
    return this;
  }

  /** So many messages were enqueued in all. */
  public OutboxAssert hasSize(int expected) {
    if (messages.size() != expected) {
      throw failure(
          "%s", "Expecting the outbox to have %s messages.%n%s".formatted(expected, all()));
    }
    return this;
  }

  /** No message was enqueued but those that this chain has named. */
  public OutboxAssert nothingElse() {
    List<String> others =
        IntStream.range(0, messages.size())
            .filter(i -> !taken.contains(i))
            .mapToObj(this::line)
            .toList();
    if (!others.isEmpty()) {
      throw failure(
          "%s",
          "Expecting the outbox to have nothing else, but it also has%n%s"
              .formatted(String.join("", others)));
    }
    return this;
  }

  /** No message was enqueued. */
  public OutboxAssert nothing() {
    return hasSize(0);
  }

  /**
   * All messages were enqueued within a simulated transaction, which has committed: see {@link
   * RecordingOutbox#inTransaction(Runnable)}.
   */
  public OutboxAssert withinTransaction() {
    for (int i = 0; i < messages.size(); i++) {
      if (!messages.get(i).isInTransaction()) {
        throw failure(
            "%s",
            "Expecting all messages to have been enqueued within a transaction, but this one was enqueued outside of inTransaction(…):%n%s"
                .formatted(line(i)));
      }
    }
    return this;
  }

  /** The index of the first message from there on that is like the expected one. */
  private int take(OutboxMessage expected, int from) {
    int nearest = -1;
    List<String> fewest = List.of();
    for (int i = from; i < messages.size(); i++) {
      if (taken.contains(i)) {
        continue;
      }
      List<String> differences =
          Differences.between(expected, messages.get(i), RecordingOutbox.JSON::write);
      if (differences.isEmpty()) {
        taken.add(i);
        return i;
      }
      if (nearest < 0 || differences.size() < fewest.size()) {
        nearest = i;
        fewest = differences;
      }
    }
    throw failure("%s", missing(expected, from, nearest, fewest));
  }

  private String missing(OutboxMessage expected, int from, int nearest, List<String> differences) {
    StringBuilder text = new StringBuilder("Expecting the outbox to have%n  ".formatted());
    text.append(expected);
    if (from > 0) {
      text.append(" behind message %s".formatted(from));
    }
    if (nearest >= 0) {
      text.append("%nThe nearest is message %s, but:%n".formatted(nearest + 1));
      differences.forEach(line -> text.append("  %s%n".formatted(line)));
    } else {
      text.append("%n".formatted());
    }
    return text.append(all()).toString();
  }

  private String all() {
    if (messages.isEmpty()) {
      return "It has none.";
    }
    StringBuilder text = new StringBuilder("It has %s:%n".formatted(messages.size()));
    for (int i = 0; i < messages.size(); i++) {
      text.append(line(i));
    }
    return text.toString();
  }

  private String line(int i) {
    return "  %s. %s%s%n"
        .formatted(
            i + 1, messages.get(i), taken.contains(i) ? " (named by an assertion before)" : "");
  }

  private static <T> T read(Recorded found, Class<T> type) {
    try {
      @Nullable T payload = READER.fromJson(found.payload(), type);
      if (payload == null) {
        throw new AssertionError("The payload is JSON's null: " + found);
      }
      return payload;
    } catch (JsonbException unreadable) {
      throw new AssertionError(
          "JSON-B cannot read the payload as a %s: %s".formatted(type.getName(), found),
          unreadable);
    }
  }
}
