package io.postbox.outbox.server;

import io.postbox.common.server.Jndi;
import io.postbox.common.store.SchemaException;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.jms.JmsTransport;
import io.postbox.outbox.jms.JmsTransport.TransactionParticipant;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.payload.ApplicationPayloadResolver;
import io.postbox.outbox.relay.CircuitBreakers;
import io.postbox.outbox.relay.Relay;
import io.postbox.outbox.relay.RelayListener;
import io.postbox.outbox.relay.XaCompletion;
import io.postbox.outbox.store.ClaimStore;
import io.postbox.outbox.store.PollStore;
import io.postbox.outbox.store.StoredErrors;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** This node's relay: made by the first look that finds the tables in order. */
@ApplicationScoped
class RelayBean {
  private static final Duration UNTIL_TABLES_ARE_LOOKED_AT_AGAIN = Duration.ofSeconds(5);
  private static final Duration WITHOUT_RELAY = Duration.ofSeconds(5);

  @Inject OutboxExtension extension;
  @Inject UserTransaction transaction;
  @Inject StatisticsBean watch;
  @Inject GuaranteeCheckBean guarantee;
  @Inject PayloadBeans payloads;
  @Inject TracingBean tracing;
  @Inject HousekeepingBean housekeeping;
  @Inject @Any Instance<RelayListener> listeners;

  private final InstantSource clock = MonotonicClock.started();
  private final CircuitBreakers breakers = new CircuitBreakers(clock);
  private volatile @Nullable Relay relay;
  private volatile @Nullable RelayListener told;
  private volatile Instant lastPoll = clock.instant();

  /** The destinations whose messages wait, and why. */
  Map<String, String> waitingDestinations() {
    return breakers.openReasons();
  }

  /** How long ago the timer last looked for work. */
  Duration sinceLastPoll() {
    return Duration.between(lastPoll, clock.instant());
  }

  /** For how long there has been work, and no worker that asked for it. */
  Duration unattended() {
    Relay running = relay;
    return running == null ? Duration.ZERO : running.unattended();
  }

  /** The partitions that somebody holds without working on them, and since when. */
  Map<Integer, Instant> stuckPartitions() {
    Relay running = relay;
    return running == null ? Map.of() : running.stuckPartitions();
  }

  /**
   * Tells the relay of committed messages; never throws, for it is called after a commit.
   *
   * @param lanes where there are some to be sent now
   * @param firstDelay after how long the first of the delayed ones is due
   */
  void wake(Set<Lane> lanes, Optional<Duration> firstDelay) {
    Relay running = relay;
    if (running != null) {
      try {
        firstDelay.ifPresent(running::wakeAfter);
        running.wake(lanes);
      } catch (RuntimeException | Error refused) { // also that there is no thread
        OutboxLog.wakeUpRefused(refused);
      }
    }
  }

  /**
   * Tells the metrics of committed messages; never throws, for it is called after a commit.
   *
   * @param messages how many, by destination
   */
  void enqueued(Map<String, Integer> messages) {
    try {
      messages.forEach(listeners()::enqueued);
    } catch (RuntimeException | Error failed) { // the application's beans may be gone
      OutboxLog.listenerFailed(failed);
    }
  }

  /**
   * Does what is to be done now and then: prepares the tables until that has succeeded, looks for
   * work where this node relays, lets the table be counted, and deletes what is past its retention.
   *
   * @param executor runs workers
   * @return how long until this is to be called again
   */
  Duration poll(ExecutorService executor) {
    lastPoll = clock.instant();
    if (!isPrepared()) {
      return UNTIL_TABLES_ARE_LOOKED_AT_AGAIN;
    }
    guarantee.checkOnce();
    watch.countIfDue(executor);
    housekeeping.tick();
    if (!extension.installation().config().relay().enabled()) {
      listeners().polled();
      return WITHOUT_RELAY;
    }
    Relay running = relay;
    if (running == null) {
      running = make(executor);
      relay = running;
    }
    return running.tick();
  }

  private boolean isPrepared() {
    try {
      return extension.installation().prepare();
    } catch (SchemaException refused) { // which has its line in the log
      return false;
    }
  }

  private RelayListener listeners() {
    RelayListener all = told;
    return all == null ? makeListeners() : all;
  }

  private synchronized RelayListener makeListeners() {
    RelayListener all = told;
    if (all == null) {
      all = new CompositeRelayListener(listeners.stream().toList());
      told = all;
    }
    return all;
  }

  void stop() {
    Relay running = relay;
    if (running != null) {
      running.stop();
    }
  }

  private Relay make(ExecutorService executor) {
    Installation installation = extension.installation();
    OutboxConfig config = installation.config();
    ClaimStore store =
        new ClaimStore(
            installation.dialect(),
            config.tables(),
            config.afterSending(),
            Relay.longestSilence(config),
            new StoredErrors(payloads.cipher()));
    TransactionParticipant participant =
        config.delivery() == Delivery.XA
            ? new XaCompletion(installation.dataSource(), store)::complete
            : TransactionParticipant.NONE;
    return Relay.on(
        config,
        installation.dataSource(),
        store,
        new PollStore(installation.dialect(), config.tables()),
        new JmsTransport(
            config, transaction, Jndi::lookup, participant, tracing, installation.secret()),
        new ApplicationPayloadResolver(
            payloads.loader(),
            payloads.cipher(),
            config.maxPayload(),
            config.confidentiality().encryptionRequired()),
        breakers,
        listeners(),
        executor,
        clock);
  }
}
