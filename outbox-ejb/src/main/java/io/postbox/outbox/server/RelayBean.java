package io.postbox.outbox.server;

import io.postbox.common.check.Finding;
import io.postbox.common.ops.Part;
import io.postbox.common.server.Jndi;
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
import io.postbox.outbox.relay.RelayStatus;
import io.postbox.outbox.relay.RelayThreads;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** This node's relay, started once the tables are in order, if this node relays. */
@ApplicationScoped
class RelayBean implements AfterCommit {
  private static final Duration WITHOUT_RELAY = Duration.ofSeconds(5);

  @Inject OutboxDatabase database;
  @Inject UserTransaction transaction;
  @Inject PayloadBeans payloads;
  @Inject TracingBean tracing;
  @Inject @Any Instance<RelayListener> listeners;

  private final InstantSource clock = MonotonicClock.started();
  private final CircuitBreakers breakers = new CircuitBreakers(clock);
  private volatile @Nullable Relay relay;
  private final Part<RelayListener> all =
      new Part<>(() -> new CompositeRelayListener(listeners.stream().toList()));

  /** The destinations whose circuit is not closed, and why. */
  Map<String, String> openCircuits() {
    return breakers.openReasons();
  }

  /** The status of this node's relay. */
  RelayStatus status() {
    return ask(Relay::status, RelayStatus.NONE);
  }

  /** A finding if messages wait for a node that has what this one lacks. */
  Optional<Finding> waiting() {
    List<String> lacking = ask(Relay::lacking, List.of());
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "waits-for-another-node",
                "Messages wait, uncounted, for a node that can send them: %s. Deploy what is missing here, or see that a node that has it runs."
                    .formatted(String.join("; ", lacking))));
  }

  /** How long work has been waiting without a worker asking for it. */
  Duration unattended() {
    return ask(Relay::unattended, Duration.ZERO);
  }

  /** The stuck partitions, and since when. */
  Map<Integer, Instant> stuckPartitions() {
    return ask(Relay::stuckPartitions, Map.of());
  }

  private <T> T ask(Function<Relay, T> question, T ofNone) {
    Relay running = relay;
    return running == null ? ofNone : question.apply(running);
  }

  @Override
  public void wake(Set<Lane> lanes, Optional<Duration> firstDelay) {
    Relay running = relay;
    if (running != null) {
      try {
        firstDelay.ifPresent(running::wakeAfter);
        running.wake(lanes);
      } catch (RuntimeException | Error refused) { // also if there is no thread
        OutboxLog.wakeUpRefused(refused);
      }
    }
  }

  @Override
  public void enqueued(Map<String, Integer> messages) {
    try {
      messages.forEach(all.get()::enqueued);
    } catch (RuntimeException | Error failed) { // the application's beans may be destroyed already
      OutboxLog.listenerFailed(failed);
    }
  }

  /**
   * Polls if a poll is due and this node relays. Called once the tables are in order, by one thread
   * at a time.
   *
   * @param threads run workers
   * @return how long until the next call
   */
  Duration tick(RelayThreads threads) {
    if (!database.config().relay().runsHere()) {
      all.get().polled();
      return WITHOUT_RELAY;
    }
    Relay running = relay;
    if (running == null) {
      running = make(threads);
      relay = running;
    }
    return running.tick();
  }

  void stop() {
    Relay running = relay;
    if (running != null) {
      running.stop();
    }
  }

  private Relay make(RelayThreads threads) {
    OutboxConfig config = database.config();
    ClaimStore store =
        new ClaimStore(
            database.dialect(),
            config.tables(),
            config.afterSending(),
            Relay.longestSilence(config),
            database.node());
    TransactionParticipant participant =
        config.delivery() == Delivery.XA
            ? new XaCompletion(database.dataSource(), store)::complete
            : TransactionParticipant.NONE;
    return Relay.on(
        config,
        database.policies()::recovery,
        database.dataSource(),
        store,
        new PollStore(database.dialect(), config.tables()),
        new JmsTransport(
            config,
            transaction,
            Jndi::lookup,
            participant,
            tracing.system(),
            database.secret(),
            threads.oneEach(),
            clock),
        new ApplicationPayloadResolver(
            payloads.loader(),
            payloads.cipher(),
            config.maxPayload(),
            config.confidentiality().encryptionRequired()),
        new StoredErrors(payloads.cipher()),
        breakers,
        all.get(),
        threads,
        clock);
  }
}
