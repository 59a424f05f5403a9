package io.postbox.test;

import io.postbox.common.config.Durations;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.test.Attempt.Fault;
import io.postbox.test.store.Effects;
import jakarta.jms.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries of messages to a handler, described first and made by the first question about them.
 * Each message is redelivered until it is acknowledged, and a delayed retry moves the test's clock.
 * Descriptions combine: the faults are met one after the other, one at each call of the handler.
 */
public final class Deliveries {
  private static final int MOST_COPIES = 100;

  /** When no process suspects redeliveries of a crashed one any more. */
  private static final Duration LATER = Duration.ofHours(1);

  private final InboxHarness harness;
  private final List<Message> messages;
  private final List<Fault> faults = new ArrayList<>();
  private int copies = 1;
  private int threads = 1;
  private boolean isReordered;
  private boolean hasOtherBody;
  private boolean comesAgain;
  private boolean isAsked;
  private @Nullable DeliveryRun run;

  Deliveries(InboxHarness harness, List<Message> messages) {
    this.harness = harness;
    this.messages = messages;
  }

  /**
   * Sends each message so many times, one after the other.
   *
   * @param times from 1 to 100
   */
  public Deliveries times(int times) {
    copies = Math.max(copies, checked(times));
    return this;
  }

  /**
   * Sends each message so many times, and delivers as many of all at the same time, on threads of
   * their own.
   *
   * @param times from 1 to 100
   */
  public Deliveries atOnce(int times) {
    threads = checked(times);
    return times(times);
  }

  private int checked(int times) {
    requireUnmade();
    if (times < 1 || times > MOST_COPIES) {
      throw new IllegalArgumentException(
          "A message can be delivered 1 to %s times, and not %s".formatted(MOST_COPIES, times));
    }
    return times;
  }

  /** Delivers the last message first. */
  public Deliveries reordered() {
    requireUnmade();
    isReordered = true;
    return this;
  }

  /** Delivers, after all others, each message with the same id and another body. */
  public Deliveries withOtherBody() {
    requireUnmade();
    hasOtherBody = true;
    return this;
  }

  /** Lets an attempt fail at a point, so that the message is redelivered. */
  public Deliveries failingAt(Point point) {
    requireUnmade();
    faults.add(new Fault(point, false));
    return this;
  }

  /**
   * Lets the process crash at a point: its open transaction rolls back, no failure is recorded, and
   * 30 seconds later another process gets the message.
   */
  public Deliveries crashingAt(Point point) {
    requireUnmade();
    faults.add(new Fault(point, true));
    return this;
  }

  /**
   * Everything that can happen to a message on its way: five copies at once, of which the first
   * ones fail after the handler and at the commit, and crash before the handler, after it and after
   * the commit; and one more copy an hour later.
   */
  public Deliveries inEveryWay() {
    comesAgain = true;
    return crashingAt(Point.BEFORE_HANDLER)
        .failingAt(Point.AFTER_HANDLER)
        .crashingAt(Point.AFTER_HANDLER)
        .failingAt(Point.AT_COMMIT)
        .crashingAt(Point.AFTER_COMMIT)
        .atOnce(5);
  }

  private void requireUnmade() {
    if (run != null) {
      throw new IllegalStateException(
          "The deliveries have been made: describe them before the first question about them.");
    }
  }

  /** Whether somebody has asked about them. */
  boolean isAsked() {
    return isAsked;
  }

  /** Makes the deliveries, unless that has been done. */
  public Deliveries run() {
    DeliveryRun unused = made();
    return this;
  }

  private DeliveryRun made() {
    isAsked = true;
    DeliveryRun made = run;
    if (made == null) {
      made = new DeliveryRun(harness, faults, threads);
      run = made;
      made.deliver(messages, copies, isReordered);
      if (comesAgain) {
        harness.clock().advance(LATER);
        made.deliver(messages, 1, isReordered);
      }
      if (hasOtherBody) {
        made.deliverAltered(messages);
      }
      made.end();
    }
    return made;
  }

  /**
   * The effects of each message happened once, as a query of the inbox's own database counts them.
   *
   * @param sql counts the effects of all messages together, such as {@code SELECT COUNT(*) FROM
   *     shipment}
   * @throws AssertionError if they happened less or more often, saying what was delivered and why
   *     that can be
   */
  public Deliveries effectsOnce(String sql) {
    return effectsOnce(harness.dataSource(), sql);
  }

  /**
   * The effects of each message happened once, as a query of another database counts them.
   *
   * @param dataSource of that database
   * @param sql as in {@link #effectsOnce(String)}
   * @throws AssertionError as {@link #effectsOnce(String)}
   */
  public Deliveries effectsOnce(DataSource dataSource, String sql) {
    return effectsOnce(() -> new Effects(dataSource).count(sql), sql);
  }

  /**
   * The effects of each message happened once, as the test counts them, for instance calls of
   * another system.
   *
   * @param count counts the effects of all messages together
   * @throws AssertionError as {@link #effectsOnce(String)}
   */
  public Deliveries effectsOnce(LongSupplier count) {
    return effectsOnce(count, "the test");
  }

  private Deliveries effectsOnce(LongSupplier count, String counter) {
    DeliveryRun made = made();
    made.requireAllFaultsMet();
    long effects = count.getAsLong();
    if (effects != messages.size()) {
      throw new AssertionError(
          "Expecting the effects of %s to happen once, and they happened %s times, counted by%n  %s%n%s%n%s"
              .formatted(
                  messages.size() == 1 ? "the message" : messages.size() + " messages",
                  effects,
                  counter,
                  made.explanation(effects, messages.size()),
                  made.history()));
    }
    return this;
  }

  /** Each message was parked: its handler failed too often, or rejected it. */
  public Deliveries parked() {
    DeliveryRun made = made();
    return require(made, "be parked", made.messagesWith(MessageParked.class) == messages.size());
  }

  /**
   * Each message was quarantined: the inbox cannot trust it, as one with a known id and another
   * body.
   */
  public Deliveries quarantined() {
    DeliveryRun made = made();
    return require(
        made, "be quarantined", made.messagesWith(MessageQuarantined.class) == messages.size());
  }

  private Deliveries require(DeliveryRun made, String what, boolean isTrue) {
    if (!isTrue) {
      throw new AssertionError("Expecting each message to %s.%n%s".formatted(what, made.history()));
    }
    return this;
  }

  /**
   * The inbox sent the message again after these waits, and no others. Waits are the longest that
   * the jitter of the backoff draws, so that they are round: with the defaults 1 s, 2 s, 4 s.
   */
  public Deliveries retriedAfter(Duration... waits) {
    DeliveryRun made = made();
    if (!made.retries().equals(List.of(waits))) {
      throw new AssertionError(
          "Expecting retries after %s, and they were after %s.%n%s"
              .formatted(text(Arrays.asList(waits)), text(made.retries()), made.history()));
    }
    return this;
  }

  private static String text(List<Duration> waits) {
    return waits.stream().map(Durations::text).collect(Collectors.joining(", ", "[", "]"));
  }
}
