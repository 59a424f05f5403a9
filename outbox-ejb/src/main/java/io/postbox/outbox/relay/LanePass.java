package io.postbox.outbox.relay;

import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchSending.TransportWithinLimit;
import io.postbox.outbox.relay.Claims.Claim;
import io.postbox.outbox.relay.Completion.Policy;
import io.postbox.outbox.store.RelayStore.Batch;
import io.postbox.outbox.store.RelayStore.Failure;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/**
 * One batch of one lane, in one database transaction: claim, read, send, complete. The claim is the
 * lease; whatever ends the transaction ends it. A crash after the broker's commit and before ours
 * repeats the batch. Thread-safe.
 */
final class LanePass {
  private final Claims claims;
  private final Sends sends;
  private final Breakers breakers;
  private final RelayListener listener;
  private final Policy policy;
  private final BatchSizes sizes;
  private final DoubleSupplier random;
  private final InstantSource clock;
  private final Floors floors = new Floors();

  /** Begins the sends of a pass. */
  interface Sends {
    TransportWithinLimit begin();
  }

  /** What a pass found. */
  enum Outcome {
    /** Somebody else holds the partition. */
    BUSY,
    /** All that can go now is done; what commits later brings its own wake-up. */
    DRAINED,
    /** There may be more. */
    MORE
  }

  /** An outcome, and how long the message waits that is due first after a failure here. */
  record Result(Outcome outcome, Duration nextAttempt) {
    static final Duration NEVER = Duration.ofDays(1_000);

    static Result of(Outcome outcome) {
      return new Result(outcome, NEVER);
    }
  }

  LanePass(
      Claims claims,
      Sends sends,
      Breakers breakers,
      RelayListener listener,
      Policy policy,
      int batchSize,
      DoubleSupplier random,
      InstantSource clock) {
    this.claims = claims;
    this.sends = sends;
    this.breakers = breakers;
    this.listener = listener;
    this.policy = policy;
    this.sizes = new BatchSizes(batchSize);
    this.random = random;
    this.clock = clock;
  }

  /**
   * @throws SQLException if the database failed; what was sent may be sent again
   */
  Result run(Lane lane) throws SQLException {
    if (breakers.blocks(lane.destination())) {
      return Result.of(Outcome.DRAINED); // the breaker brings the next look
    }
    Optional<Claim> taken = claims.claim(lane.partition());
    if (taken.isEmpty()) {
      return Result.of(Outcome.BUSY);
    }
    try (Claim claim = taken.get()) {
      return work(claim, lane);
    }
  }

  private Result work(Claim claim, Lane lane) throws SQLException {
    String destination = lane.destination();
    Batch batch = read(claim, lane);
    Map<Boolean, List<StoredMessage>> byFollower =
        batch.messages().stream().collect(Collectors.partitioningBy(StoredMessage::isFollower));
    List<StoredMessage> followers = byFollower.getOrDefault(true, List.of());
    claim.hold(followers.stream().map(StoredMessage::seq).toList());
    Map<Boolean, List<StoredMessage>> byExpired =
        byFollower.getOrDefault(false, List.of()).stream()
            .collect(Collectors.partitioningBy(StoredMessage::isExpired));
    List<StoredMessage> expired = byExpired.getOrDefault(true, List.of());
    List<StoredMessage> live = byExpired.getOrDefault(false, List.of());
    List<StoredMessage> admitted = breakers.admit(destination, behindNone(expired, live));
    SendReport report = admitted.isEmpty() ? SendReport.NOTHING : send(destination, admitted);
    Completion completion = Completion.of(report, expired, policy, random);
    claim.complete(completion);
    claim.commit();
    tell(report, expired);

    int gone = followers.size() + completion.sent().size() + completion.failures().size();
    boolean allGone = gone == batch.messages().size() && completion.release().isEmpty();
    if (allGone && batch.full()) {
      floors.emptied(lane, last(batch).seq(), claim.putBack(), clock.instant());
    } else {
      floors.forget(lane);
    }
    boolean more =
        !completion.release().isEmpty()
            || (report.destinationFault().isEmpty() && gone > 0 && (batch.full() || !allGone));
    return new Result(more ? Outcome.MORE : Outcome.DRAINED, nextAttempt(completion));
  }

  /** Behind what is gone; from the start, if that is not a full batch. */
  private Batch read(Claim claim, Lane lane) throws SQLException {
    int limit = sizes.of(lane.destination());
    long after = floors.after(lane, claim.putBack(), clock.instant());
    Batch batch = claim.read(lane.destination(), after, limit);
    if (after == 0 || batch.full()) {
      return batch;
    }
    floors.forget(lane);
    return claim.read(lane.destination(), 0, limit);
  }

  private static StoredMessage last(Batch batch) {
    return batch.messages().get(batch.messages().size() - 1);
  }

  /** What expired may hold its key from now on, which the next read sees. */
  private static List<StoredMessage> behindNone(
      List<StoredMessage> expired, List<StoredMessage> live) {
    if (expired.isEmpty()) {
      return live;
    }
    Map<String, Long> first =
        expired.stream()
            .filter(it -> it.envelope().orderingKey() != null)
            .collect(
                Collectors.toMap(
                    it -> String.valueOf(it.envelope().orderingKey()),
                    StoredMessage::seq,
                    Math::min));
    return live.stream()
        .filter(
            it -> {
              String key = it.envelope().orderingKey();
              return key == null || it.seq() < first.getOrDefault(key, Long.MAX_VALUE);
            })
        .toList();
  }

  private SendReport send(String destination, List<StoredMessage> admitted) {
    TransportWithinLimit transport = sends.begin();
    boolean answered = false;
    try {
      SendReport sent = BatchSending.send(admitted, transport);
      if (transport.wasLate()) {
        sizes.tooSlow(destination);
      } else if (!sent.sent().isEmpty()) {
        sizes.wentWell(destination);
      }
      SendReport report = breakers.settle(destination, admitted, sent);
      answered = true;
      return report;
    } finally {
      if (!answered) {
        breakers.unprobe(admitted);
      }
    }
  }

  private void tell(SendReport report, List<StoredMessage> expired) {
    report.sent().forEach(listener::sent);
    report.rejected().forEach(this::tellFailed);
    expired.forEach(message -> tellDead(message, message.attempts(), Completion.EXPIRED));
  }

  private void tellFailed(StoredMessage message, String reason) {
    int attempts = message.attempts() + 1;
    listener.attemptFailed(message, attempts, reason);
    if (attempts >= policy.maxAttempts()) {
      tellDead(message, attempts, reason);
    } else {
      OutboxLog.attemptFailed(message.envelope().id(), message.destination(), attempts, reason);
    }
  }

  private void tellDead(StoredMessage message, int attempts, String reason) {
    OutboxLog.deadLetter(message.envelope().id(), message.destination(), attempts, reason);
    listener.died(message, attempts, reason);
  }

  private static Duration nextAttempt(Completion completion) {
    return completion.failures().stream()
        .filter(failure -> !failure.dead())
        .map(Failure::backoff)
        .min(Duration::compareTo)
        .orElse(Result.NEVER);
  }
}
