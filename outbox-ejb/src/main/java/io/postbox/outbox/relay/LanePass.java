package io.postbox.outbox.relay;

import io.postbox.outbox.config.OutboxConfig.Delivery;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * One batch of one lane: claim, read, send, complete. The claim is the lease; whatever ends its
 * transaction ends it. Thread-safe.
 */
final class LanePass {
  /** How many messages are read at most in search of one that can be a probe. */
  private static final int FARTHEST = 10_000;

  private final Claims claims;
  private final Sends sends;
  private final Breakers breakers;
  private final News news;
  private final Policy policy;
  private final BatchSizes sizes;
  private final DoubleSupplier random;
  private final InstantSource clock;
  private final Floors floors = new Floors();

  /** What a pass does beyond the tables. */
  interface Sends {
    /** Begins a series of sends, which all together keep to a limit. */
    TransportWithinLimit begin(Lane lane);

    /** Opens what does not travel as the row holds it. */
    default Opened open(List<StoredMessage> messages) {
      return Opened.asTheyAre(messages);
    }
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
    news = new News(listener, policy.maxAttempts());
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
    long floor = floors.after(lane, claim.putBack(), clock.instant());
    int limit = sizes.of(lane.destination());
    Batch batch = claim.read(lane.destination(), floor, limit);
    if (floor > 0 && !batch.full()) {
      floor = 0;
      batch = claim.read(lane.destination(), 0, limit);
    }
    batch = readOn(claim, lane, batch);
    Reading reading = Reading.of(batch.messages());
    claim.hold(reading.followers().stream().map(StoredMessage::seq).toList());
    List<StoredMessage> admitted = breakers.admit(lane.destination(), reading.sendable());
    Opened opened = open(admitted);
    Map<StoredMessage, String> doomed = new HashMap<>(opened.altered());
    reading.expired().forEach(message -> doomed.put(message, Completion.EXPIRED));
    Done done = deal(claim, lane, admitted, opened, doomed);
    news.tell(done.report(), doomed);

    int gone = reading.followers().size() + done.gone();
    boolean allGone = gone == batch.messages().size() && !done.putsBack();
    if (allGone && batch.full()) {
      floors.emptied(lane, batch, floor, claim.putBack(), clock.instant());
    } else {
      floors.forget(lane);
    }
    boolean waits = done.report().destinationFault().isPresent();
    boolean progress = gone > 0 || !opened.firstHashes().isEmpty();
    boolean more = done.putsBack() || (!waits && progress && (batch.full() || !allGone));
    return new Result(more ? Outcome.MORE : Outcome.DRAINED, nextAttempt(done.failures()));
  }

  /**
   * What became of a batch.
   *
   * @param putsBack whether messages went back to work that had been held
   */
  private record Done(SendReport report, List<Failure> failures, boolean putsBack) {
    int gone() {
      return report.sent().size() + failures.size();
    }
  }

  private Done deal(
      Claim claim,
      Lane lane,
      List<StoredMessage> admitted,
      Opened opened,
      Map<StoredMessage, String> doomed)
      throws SQLException {
    if (!opened.isClean()) { // written on its own: the next pass sends
      claim.keepHashes(opened.firstHashes());
      return write(claim, breakers.settle(lane.destination(), admitted, opened.report()), doomed);
    }
    if (policy.delivery() == Delivery.LOCAL) {
      return write(claim, send(lane, opened.ready()), doomed);
    }
    if (!doomed.isEmpty()) { // on their own, too
      breakers.unprobe(admitted);
      return write(claim, SendReport.NOTHING, doomed);
    }
    return inTwoPhases(claim, lane, opened.ready());
  }

  /** After the broker has committed: a crash in between repeats the batch. */
  private Done write(Claim claim, SendReport report, Map<StoredMessage, String> doomed)
      throws SQLException {
    Completion completion = Completion.of(report, doomed, policy, random);
    claim.complete(completion);
    claim.commit();
    return new Done(report, completion.failures(), !completion.release().isEmpty());
  }

  /**
   * The transport claims, completes and sends in transactions of its own. So this claim ends
   * before, and what failed is written under another.
   */
  private Done inTwoPhases(Claim claim, Lane lane, List<StoredMessage> ready) throws SQLException {
    claim.commit();
    claim.close();
    SendReport report = send(lane, ready);
    boolean putBack = report.sent().stream().anyMatch(StoredMessage::isHead);
    if (report.rejected().isEmpty()) {
      return new Done(report, List.of(), putBack);
    }
    Optional<Claim> again = claims.claim(lane.partition());
    if (again.isEmpty()) { // they fail again, and are counted then
      return new Done(report.withRejected(Map.of()), List.of(), putBack);
    }
    try (Claim second = again.get()) {
      SendReport still = report.withRejected(stillThere(second, lane, report.rejected()));
      Completion completion = Completion.of(still.withoutSent(), Map.of(), policy, random);
      second.complete(completion);
      second.commit();
      return new Done(still, completion.failures(), putBack || !completion.release().isEmpty());
    }
  }

  /** Those that nobody else has dealt with while there was no claim. */
  private static Map<StoredMessage, String> stillThere(
      Claim claim, Lane lane, Map<StoredMessage, String> rejected) throws SQLException {
    Map<StoredMessage, String> there = new HashMap<>();
    for (Map.Entry<StoredMessage, String> entry : rejected.entrySet()) {
      StoredMessage before = entry.getKey();
      claim.read(lane.destination(), before.seq() - 1, 1).messages().stream()
          .filter(it -> it.seq() == before.seq() && it.attempts() == before.attempts())
          .forEach(it -> there.put(it, entry.getValue()));
    }
    return there;
  }

  /**
   * Farther than usual, if the destination is in trouble and what comes first cannot show whether
   * it works again. Else a suspect with many followers would hide all that is behind them.
   */
  private Batch readOn(Claim claim, Lane lane, Batch first) throws SQLException {
    Batch batch = first;
    for (int limit = 2 * batch.messages().size();
        batch.full()
            && limit < FARTHEST
            && breakers.knowsOnlySuspects(
                lane.destination(), Reading.of(batch.messages()).sendable());
        limit *= 2) {
      batch = claim.read(lane.destination(), 0, limit);
    }
    return batch;
  }

  private Opened open(List<StoredMessage> admitted) {
    boolean answered = false;
    try {
      Opened opened = sends.open(admitted);
      answered = true;
      return opened;
    } finally {
      if (!answered) {
        breakers.unprobe(admitted);
      }
    }
  }

  private SendReport send(Lane lane, List<StoredMessage> admitted) {
    if (admitted.isEmpty()) {
      return SendReport.NOTHING;
    }
    String destination = lane.destination();
    TransportWithinLimit transport = sends.begin(lane);
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

  private static Duration nextAttempt(List<Failure> failures) {
    return failures.stream()
        .filter(failure -> !failure.dead())
        .map(Failure::backoff)
        .min(Duration::compareTo)
        .orElse(Result.NEVER);
  }
}
