package io.postbox.outbox.ops;

import io.postbox.common.Paused;
import io.postbox.common.config.Backoff;
import io.postbox.common.config.Durations;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.SwitchControl;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.RelayControl;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.store.SwitchStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Pauses and resumes destinations for the relays of all nodes, and audits that. Thread-safe. */
public final class Switches {
  private static final int LONGEST_NAME = 100;
  private static final Backoff PAUSES = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1));

  private static final String PAUSE_THE_CONNECTOR =
      "Pause the connector; messages then wait in the database's log, so watch its disk";

  private final OutboxConfig config;
  private final OperatorCalls calls;
  private final SwitchStore store;
  private final SwitchControl control;
  private final InstantSource clock;
  private final Sleeper sleeper;

  /** Waits between two polls. */
  public interface Sleeper {
    /** Waits for this long. */
    void sleep(Duration time) throws InterruptedException;
  }

  /**
   * @param clock the node's clock, only for time limits
   * @param sleeper waits between two polls
   */
  public Switches(OutboxTables tables, InstantSource clock, Sleeper sleeper) {
    config = tables.config();
    calls = tables.calls();
    store = new SwitchStore(tables.dialect(), config.tables());
    control =
        new SwitchControl(calls, store, tables.audit(), OutboxLog::paused, OutboxLog::resumed);
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /** Pauses one destination. */
  public boolean pause(String destination, String principal, String reason) {
    RelayOnly.check(config, "'%s' cannot be paused".formatted(destination), PAUSE_THE_CONNECTOR);
    // A name that no message can have any more is that of messages that wait or are dead.
    return control.pause(
        checked(destination),
        config.destinations().objection(destination).map("it "::concat),
        connection -> store.isAnyUnsent(connection, destination),
        principal,
        reason);
  }

  /** Pauses all destinations. */
  public boolean pauseAll(String principal, String reason) {
    RelayOnly.check(config, "Sending cannot be paused", PAUSE_THE_CONNECTOR);
    return control.pause(RelayControl.ALL, Optional.empty(), connection -> true, principal, reason);
  }

  /** Resumes one destination. */
  public boolean resume(String destination, String principal, String reason) {
    return control.resume(checked(destination), principal, reason);
  }

  /** Resumes all destinations except those that are paused by name. */
  public boolean resumeAll(String principal, String reason) {
    return control.resume(RelayControl.ALL, principal, reason);
  }

  /** The paused destinations. */
  public List<Paused> paused() {
    return calls.ask("The paused destinations cannot be read", store::paused);
  }

  /** Polls at growing intervals until no message waits. */
  public boolean awaitEmpty(Duration limit) {
    return await(store::isAnyWaiting, limit);
  }

  /** Polls at growing intervals until no message to one destination waits. */
  public boolean awaitEmpty(String destination, Duration limit) {
    return await(connection -> store.isAnyWaiting(connection, destination), limit);
  }

  private boolean await(LocalTransactions.Work<Boolean> isAnyWaiting, Duration limit) {
    RelayOnly.check(
        config,
        "An empty outbox cannot be awaited",
        "Rows leave with the transaction that enqueues them; what is not sent yet is in the"
            + " database's log: compare the slot's confirmed_flush_lsn, as"
            + " https://github.com/postbox/postbox/blob/main/docs/cdc.md shows");
    Instant end = clock.instant().plus(limit);
    for (int i = 1; calls.commit("The waiting messages cannot be read", isAnyWaiting); i++) {
      Duration left = Duration.between(clock.instant(), end);
      if (left.isNegative() || left.isZero()) {
        return false;
      }
      sleep(Durations.shorter(PAUSES.ceiling(i), left));
    }
    return true;
  }

  private void sleep(Duration time) {
    try {
      sleeper.sleep(time);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new OutboxException("Interrupted while waiting for an empty outbox", interrupted);
    }
  }

  private static String checked(String destination) {
    if (destination.isBlank()
        || destination.length() > LONGEST_NAME
        || destination.equals(RelayControl.ALL)) {
      throw new IllegalArgumentException(
          "A destination's name has 1 to %s characters and is not '%s': '%s'. Nothing was changed."
              .formatted(LONGEST_NAME, RelayControl.ALL, destination));
    }
    return destination;
  }
}
