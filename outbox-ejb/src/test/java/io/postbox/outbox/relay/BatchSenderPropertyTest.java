package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.fail;

import io.postbox.common.testing.Tenth;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.testing.Messages;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random batches at random brokers, each from a seed, against what must always hold. */
class BatchSenderPropertyTest {
  private static final int SEEDS = 25_000;

  @Test
  void noFailureLosesDoublesOrReordersAMessage() {
    for (long seed = 0; seed < SEEDS; seed++) {
      if (Tenth.has(seed)) {
        Random random = new Random(scattered(seed));
        List<StoredMessage> batch = batch(random);
        FakeBroker broker = broker(random, batch);
        SendReport report = BatchSender.send(batch, broker);
        check("seed " + seed, batch, broker, report);
      }
    }
  }

  /** Neighbouring seeds give java.util.Random nearly the same first numbers. */
  private static long scattered(long seed) {
    return seed * 0x9E3779B97F4A7C15L;
  }

  private static List<StoredMessage> batch(Random random) {
    int keys = random.nextInt(5);
    List<StoredMessage> batch = new ArrayList<>();
    int size = 1 + random.nextInt(random.nextInt(10) == 0 ? 100 : 12);
    for (int seq = 1; seq <= size; seq++) {
      int key = random.nextInt(keys + 1);
      batch.add(Messages.message(seq, "d", key == 0 ? null : "k" + key));
    }
    return batch;
  }

  private static FakeBroker broker(Random random, List<StoredMessage> batch) {
    FakeBroker broker = new FakeBroker();
    double poison = random.nextInt(3) == 0 ? random.nextDouble() : random.nextDouble() / 10;
    boolean named = random.nextBoolean();
    boolean both = random.nextInt(3) == 0;
    for (StoredMessage message : batch) {
      if (random.nextDouble() < poison) {
        (named && (!both || random.nextBoolean()) ? broker.rejects : broker.spoil)
            .add(message.seq());
      }
    }
    if (random.nextInt(8) == 0) {
      broker.unknownDestinations.add("d");
    } else if (random.nextInt(8) == 0) {
      broker.brokenDestinations.add("d");
    }
    broker.down = random.nextInt(50) == 0;
    return broker;
  }

  private static void check(
      String where, List<StoredMessage> batch, FakeBroker broker, SendReport report) {
    List<StoredMessage> received = broker.received();
    Set<StoredMessage> sent = new HashSet<>(report.sent());
    Set<StoredMessage> rejected = report.rejected().keySet();
    require(sent.equals(new HashSet<>(received)), where, "reported as sent is what was received");
    require(sent.size() == received.size(), where, "nothing is sent twice");
    require(batch.containsAll(sent) && batch.containsAll(rejected), where, "all is of the batch");
    require(Collections.disjoint(rejected, sent), where, "sent or rejected, not both");
    require(broker.calls() <= 4 * batch.size() + 8, where, "the number of calls is bounded");
    checkOrder(where, batch, received, sent);
    checkBlame(where, broker, report);
    checkWaiting(where, batch, report, sent);
  }

  private static void checkOrder(
      String where,
      List<StoredMessage> batch,
      List<StoredMessage> received,
      Set<StoredMessage> sent) {
    Map<String, Long> lastOfLine = new HashMap<>();
    for (StoredMessage message : received) {
      if (isKeyed(message)) {
        Long before = lastOfLine.put(line(message), message.seq());
        require(before == null || before < message.seq(), where, "a key is in order");
      }
    }
    Set<String> unsent = new HashSet<>();
    for (StoredMessage message : batch) {
      if (isKeyed(message) && !sent.contains(message)) {
        unsent.add(line(message));
      } else if (isKeyed(message)) {
        require(!unsent.contains(line(message)), where, "nothing overtakes within a key");
      }
    }
  }

  private static void checkBlame(String where, FakeBroker broker, SendReport report) {
    Set<String> counted = new HashSet<>();
    for (StoredMessage message : report.rejected().keySet()) {
      boolean named = broker.rejects.contains(message.seq());
      boolean works = !report.sent().isEmpty();
      require(named || broker.spoil.contains(message.seq()), where, "only a culprit is counted");
      require(named || works, where, "without a name, only if the destination works");
      require(!isKeyed(message) || counted.add(line(message)), where, "one of a key is counted");
    }
  }

  private static void checkWaiting(
      String where, List<StoredMessage> batch, SendReport report, Set<StoredMessage> sent) {
    for (StoredMessage message : batch) {
      boolean settled =
          sent.contains(message)
              || report.rejected().containsKey(message)
              || report.suspects().containsKey(message);
      require(
          settled
              || report.destinationFault().isPresent()
              || isKeyed(message) && hasFailedBefore(report, message),
          where,
          message.seq() + " waits for its destination or its key");
    }
  }

  private static void require(boolean holds, String where, String what) {
    if (!holds) {
      fail(where + ": " + what);
    }
  }

  private static boolean isKeyed(StoredMessage message) {
    return message.envelope().orderingKey() != null;
  }

  private static boolean hasFailedBefore(SendReport report, StoredMessage follower) {
    return Stream.of(report.rejected(), report.suspects())
        .flatMap(failed -> failed.keySet().stream())
        .anyMatch(it -> line(it).equals(line(follower)) && it.seq() < follower.seq());
  }

  private static String line(StoredMessage message) {
    return message.destination() + " " + message.envelope().orderingKey();
  }
}
