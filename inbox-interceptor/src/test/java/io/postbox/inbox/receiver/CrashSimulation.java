package io.postbox.inbox.receiver;

import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.KeptLines;
import io.postbox.inbox.message.Crashes;
import io.postbox.inbox.message.Crashes.Unended;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Heartbeat;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.ops.AttemptRecorder;
import io.postbox.inbox.ops.AttemptRows;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Processes in virtual time that take messages from one queue, several at once, and die of some of
 * them. A handler that runs lets others begin beside it, and a death ends all of them.
 */
final class CrashSimulation {
  static final String CONSUMER = "shipping";

  /** The record of tries as it is, or one that is broken in some way. */
  interface Log {
    AttemptLog of(AttemptRecorder real);
  }

  final Map<String, Integer> handled = new LinkedHashMap<>();
  final Set<String> killers = new TreeSet<>();
  final List<Row> rows = new ArrayList<>();
  final FakeIdempotencyStore store = new FakeIdempotencyStore();
  int deaths;
  int instancesAtOnce = 4;

  /** As Artemis does; Liberty's embedded messaging forgets it when its server dies. */
  boolean saysRedelivered = true;

  Duration now = Duration.ZERO;

  private final InboxConfig config;
  private final Log log;
  private final Random random;
  private final Map<String, Waiting> queue = new LinkedHashMap<>();
  private final List<Process> living = new ArrayList<>();
  private int processes;
  private long lastRow;

  /** Which are on record, with their last heartbeat. */
  private final Map<String, Duration> alive = new LinkedHashMap<>();

  private final Map<String, Duration> born = new LinkedHashMap<>();

  /**
   * A message in the queue.
   *
   * @param row its row, if it is a copy of a stored one
   */
  private record Waiting(Duration due, History history, @Nullable StoredRow row) {
    Waiting(Duration due, History history) {
      this(due, history, null);
    }
  }

  /** One that is on record. */
  record Row(long id, String messageId, String node, boolean alone, Duration aliveAt) {}

  /** The machine stops, in the middle of whatever it does. */
  private static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** A server, from its start to its end. */
  final class Process {
    private final String name = "process-" + ++processes;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final AttemptRecorder recorder =
        new AttemptRecorder(
            new Table(),
            name,
            Duration.ofDays(7),
            tasks::add,
            () -> now.toNanos(),
            () -> Instant.EPOCH.plus(now));
    private final AttemptLog attempts = log.of(recorder);
    private final Set<String> inFlight = new TreeSet<>();
    boolean isFrozen;

    private void beat() {
      if (!isFrozen) {
        recorder.renew();
        runTasks();
      }
    }

    private void runTasks() {
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
    }
  }

  CrashSimulation(InboxConfig config, Log log, long seed) {
    this.config = config;
    this.log = log;
    random = new Random(seed);
  }

  Process start() {
    Process process = new Process();
    living.add(process);
    return process;
  }

  void send(String id) {
    queue.put(id, new Waiting(now, History.NONE));
  }

  void redeliver(String id) {
    queue.put(id, new Waiting(now, new History(true, 0, 0)));
  }

  boolean isQueued(String id) {
    return queue.containsKey(id);
  }

  /** How many tries of a message look like crashes to a process. */
  int crashesAsSeenBy(Process looking, String id) {
    return Crashes.of(new Table().left(CONSUMER, id), looking.name, AttemptRecorder.LEASE).number();
  }

  /** How many messages wait of which the broker says that it delivered them before. */
  int redelivered() {
    return (int) queue.values().stream().filter(one -> one.history().mayHaveFailed()).count();
  }

  /** How many tries were put on record. */
  long recorded() {
    return lastRow;
  }

  List<String> parked() {
    return store.parked.stream().map(it -> it.messageId()).toList();
  }

  /** Time passes for all processes. */
  void pass(Duration time) {
    for (Duration end = now.plus(time); now.compareTo(end) < 0; ) {
      now = now.plus(AttemptRecorder.BEAT);
      living.forEach(Process::beat);
    }
  }

  /** Has a process take messages until there are none, or it has died so often. */
  void run(int mostDeaths, int slowestRestart) {
    Process process = start();
    while (!queue.isEmpty() && deaths < mostDeaths) {
      try {
        if (!takeSome(process)) {
          pass(AttemptRecorder.BEAT);
        }
        process.runTasks();
      } catch (Death death) {
        dies(process);
        pass(Duration.ofSeconds(5 + random.nextInt(slowestRestart)));
        process = start();
      }
    }
  }

  /** A broker may say of all that the process had fetched that it was delivered. */
  private void dies(Process process) {
    deaths++;
    living.remove(process);
    boolean all = random.nextBoolean();
    queue.replaceAll(
        (id, waiting) ->
            saysRedelivered && (all || process.inFlight.contains(id))
                ? new Waiting(
                    waiting.due(),
                    new History(true, waiting.history().waitedFor(), 0),
                    waiting.row())
                : waiting);
  }

  private boolean takeSome(Process process) {
    List<String> some = new ArrayList<>();
    for (Map.Entry<String, Waiting> one : queue.entrySet()) {
      if (some.size() < 1 + random.nextInt(instancesAtOnce)
          && one.getValue().due().compareTo(now) <= 0) {
        some.add(one.getKey());
      }
    }
    take(process, some);
    return !some.isEmpty();
  }

  /** The first lets the others begin before it goes on. */
  private void take(Process process, List<String> ids) {
    if (!ids.isEmpty()) {
      take(process, ids.get(0), () -> take(process, ids.subList(1, ids.size())));
    }
  }

  /** Delivers a message, and runs a task while its handler runs. */
  void take(Process process, String id, Runnable meanwhile) {
    Waiting waiting = queue.get(id);
    process.inFlight.add(id);
    FakeIdempotencyStore own = new FakeIdempotencyStore(store);
    FakeTransaction transaction = new FakeTransaction();
    transaction.begin();
    boolean[] began = {false};
    try {
      receiver(process, own)
          .receive(
              new Invocation(
                  CONSUMER,
                  transaction,
                  () -> TestDelivery.of(id).with(waiting.history()).with(waiting.row()).delivery(),
                  new Way(),
                  run -> {
                    began[0] = true;
                    meanwhile.run();
                    if (killers.contains(id)) {
                      throw new Death();
                    }
                    return null;
                  }));
    } catch (Exception rolledBack) {
      throw new IllegalStateException(rolledBack); // nothing here fails in order
    }
    if (!began[0]) {
      meanwhile.run();
    }
    transaction.commit();
    process.inFlight.remove(id);
    own.remembered.keySet().removeAll(store.remembered.keySet());
    own.remembered.keySet().forEach(key -> handled.merge(id, 1, Integer::sum));
    store.remembered.putAll(own.remembered);
    store.parked = own.parked.size() > store.parked.size() ? own.parked : store.parked;
    queue.remove(id);
    if (waiting.row() != null && !own.handedBack.containsKey(waiting.row().id())) {
      store.handedBack.remove(waiting.row().id());
    }
    own.handedBack.forEach(
        (row, back) -> {
          DelayedRetry retry = back.retry();
          if (retry != null) {
            StoredRow next = new StoredRow(row, store.handBack(row, back).generation());
            queue.put(
                id,
                new Waiting(
                    now.plus(retry.delay()), new History(false, retry.waitedFor(), 0), next));
          }
        });
  }

  private IdempotentReceiver receiver(Process process, FakeIdempotencyStore own) {
    Open open = new Open();
    return new IdempotentReceiver(
        new ReceiverParts(
            config,
            config::of,
            own,
            open,
            open,
            open,
            process.attempts,
            new NoFailures(),
            new FailureLines(System::nanoTime),
            new Limits(config, InstantSource.system()),
            new KeptLines(System::nanoTime),
            event -> {},
            new CountedWakeUps(),
            false,
            random::nextDouble));
  }

  private static final class Way implements Route {
    @Override
    public boolean canBeSentAgain() {
      return true;
    }

    @Override
    public boolean wantsReply() {
      return false;
    }

    @Override
    public void reply(String result) {}
  }

  /** The table, which survives every process. */
  private final class Table implements AttemptRows.Transactions, AttemptRows {
    @Override
    public <T> T commit(AttemptRows.Work<T> work) throws java.sql.SQLException {
      return work.on(this);
    }

    @Override
    public List<Unended> left(String consumer, String messageId) {
      return rows.stream()
          .filter(row -> row.messageId().equals(messageId))
          .map(row -> new Unended(row.node(), row.alone(), now.minus(row.aliveAt())))
          .toList();
    }

    @Override
    public long insert(String consumer, String messageId, String node, boolean alone) {
      rows.add(new Row(++lastRow, messageId, node, alone, now));
      return lastRow;
    }

    @Override
    public void renew(Collection<Long> ids) {
      rows.replaceAll(
          row ->
              ids.contains(row.id())
                  ? new Row(row.id(), row.messageId(), row.node(), row.alone(), now)
                  : row);
    }

    @Override
    public void delete(Collection<Long> ids) {
      rows.removeIf(row -> ids.contains(row.id()));
    }

    @Override
    public void deleteAll(String consumer, String messageId) {
      rows.removeIf(row -> row.messageId().equals(messageId));
    }

    @Override
    public void forget(Duration silentFor) {
      rows.removeIf(row -> now.minus(row.aliveAt()).compareTo(silentFor) > 0);
    }

    @Override
    public void live(String node) {
      alive.put(node, now);
      born.putIfAbsent(node, now);
    }

    @Override
    public List<Heartbeat> others(String node) {
      return alive.entrySet().stream()
          .filter(one -> !one.getKey().equals(node))
          .map(
              one ->
                  new Heartbeat(
                      one.getKey(),
                      now.minus(one.getValue()),
                      one.getValue().minus(born.get(one.getKey()))))
          .toList();
    }

    @Override
    public void leave(String node) {
      alive.remove(node);
    }

    @Override
    public void forgetReplaced(Duration silentFor) {
      forgetProcesses(silentFor); // all of them run on one machine
    }

    @Override
    public void forgetProcesses(Duration silentFor) {
      alive.values().removeIf(at -> now.minus(at).compareTo(silentFor) > 0);
    }
  }

  private static final class NoFailures implements FailureLog {
    @Override
    public void begins(String consumer, String messageId) {}

    @Override
    public void ends(String consumer, String messageId) {}

    @Override
    public void record(Failure failure) {}

    @Override
    public void await(String consumer, String messageId) {}
  }

  private static final class Open implements DeliveryGate, DatabaseAvailability, RetryThrottle {
    @Override
    public void enter(String consumer) {}

    @Override
    public void leave() {}

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public boolean isSuspected() {
      return false;
    }

    @Override
    public long outages() {
      return 0;
    }

    @Override
    public void verify(Throwable cause) {}

    @Override
    public void answered() {}

    @Override
    public void failed(Throwable cause) {}

    @Override
    public void pause() {}

    @Override
    public void defer(String consumer, DelayedRetry retry) {}

    @Override
    public Optional<DelayedRetry> hold(Delivery delivery) {
      return Optional.empty();
    }
  }
}
