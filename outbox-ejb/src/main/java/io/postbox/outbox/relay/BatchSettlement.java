package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.DoubleSupplier;

/**
 * The changes to write for a report: a pure function of it.
 *
 * @param sent messages that are done
 * @param failures attempts to count
 * @param hold keys whose followers have to wait from now on
 * @param release keys whose followers may be sent
 */
record BatchSettlement(
    List<Long> sent, List<Failure> failures, List<HeldKey> hold, List<HeldKey> release) {
  /** The reason of a message that expired, in the table and in the log. */
  static final RecordedError EXPIRED =
      RecordedError.of("expired: it could not be sent within its time to live");

  private static final int LONGEST_ERROR = 1_000;

  /**
   * @param report the outcome of the messages that the relay tried to send
   * @param undeliverable messages that become dead letters without an attempt, and why
   * @param policy that of the messages' destination
   * @param random numbers from zero to one, for the jitter of the backoff
   */
  static BatchSettlement of(
      SendReport report,
      Map<StoredMessage, RecordedError> undeliverable,
      Recovery policy,
      DoubleSupplier random) {
    List<Failure> failures = new ArrayList<>();
    List<HeldKey> hold = new ArrayList<>();
    List<HeldKey> release = new ArrayList<>();
    Set<String> holding = new HashSet<>(); // several of a key may have expired together
    release.addAll(released(report.sent()));
    BiConsumer<StoredMessage, Failure> failed =
        (message, failure) -> {
          failures.add(failure);
          String key = message.envelope().orderingKey();
          if (key == null) {
            return;
          }
          boolean goOn = failure.dead() && policy.onDeadLetter() == OnDeadLetter.CONTINUE;
          if (goOn && message.isHead()) {
            release.add(key(message));
          } else if (!goOn && message.heldBy() == null && holding.add(key)) {
            hold.add(key(message));
          }
        };
    report
        .rejected()
        .forEach(
            (message, error) -> failed.accept(message, failure(message, error, policy, random)));
    undeliverable.entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getKey().seq()))
        .forEach(
            each ->
                failed.accept(
                    each.getKey(),
                    new Failure(each.getKey(), 0, true, Duration.ZERO, each.getValue())));
    return new BatchSettlement(
        report.sent().stream().map(StoredMessage::seq).toList(), failures, hold, release);
  }

  private static List<HeldKey> released(List<StoredMessage> sent) {
    return sent.stream().filter(StoredMessage::isHead).map(BatchSettlement::key).toList();
  }

  private static Failure failure(
      StoredMessage message, RecordedError error, Recovery policy, DoubleSupplier random) {
    int attempts = message.attempts() + 1;
    boolean dead = attempts >= policy.maxAttempts();
    Duration wait = dead ? Duration.ZERO : policy.backoff().after(attempts, random.getAsDouble());
    return new Failure(message, 1, dead, wait, error.cut(LONGEST_ERROR));
  }

  private static HeldKey key(StoredMessage message) {
    return new HeldKey(
        message.destination(),
        Objects.requireNonNull(message.envelope().orderingKey()),
        message.envelope().id());
  }
}
