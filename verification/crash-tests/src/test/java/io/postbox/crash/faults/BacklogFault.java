package io.postbox.crash.faults;

import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.database.Tables;
import io.postbox.testkit.model.Sent;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * Backlogs that do not come from the clients, in the tables from one moment to the next. They go to
 * a topic that nobody listens to.
 */
public enum BacklogFault implements Fault {
  /**
   * A person redrives a dead letter with 200,000 messages of its key behind it; a server dies in
   * the middle, and more of that key are enqueued meanwhile.
   */
  HOT_KEY {
    @Override
    public String happen(Nodes nodes, Random random) {
      long key = random.nextLong() & 0xffffff;
      Tables.insertHeldKey(nodes.database(), key, FOLLOWERS);
      nodes.mark("%s messages behind one".formatted(FOLLOWERS));
      Node node = nodes.targets(random).get(0);
      awaitSent(nodes, key, 1 + random.nextInt(FOLLOWERS / 2));
      Tables.insertFollowers(nodes.database(), key, FOLLOWERS + 1, LATE_FOLLOWERS);
      node.server().kill();
      nodes.mark(node, "killed while a key is drained");
      nodes.startAgain();
      awaitSent(nodes, key, FOLLOWERS + 1 + LATE_FOLLOWERS);
      requireOrder(nodes, key);
      return "%s followers of one key, and a kill while they went".formatted(FOLLOWERS);
    }

    private void requireOrder(Nodes nodes, long key) {
      long next = 0;
      for (String id : firstSent(nodes, key)) {
        long number = Tables.number(UUID.fromString(id));
        if (number != next++) {
          throw new AssertionError(
              "Message %s of the hot key was sent where %s was to come"
                  .formatted(number, next - 1));
        }
      }
    }
  },

  /** More bytes in one lane than the server has memory for. */
  BIG_ROWS {
    @Override
    public String happen(Nodes nodes, Random random) {
      long key = random.nextLong() & 0xffffff;
      Tables.insertBig(nodes.database(), key, BIG_ROWS_NUMBER, BIG_ROW_BYTES);
      nodes.mark("%s messages of %s bytes".formatted(BIG_ROWS_NUMBER, BIG_ROW_BYTES));
      awaitSent(nodes, key, BIG_ROWS_NUMBER);
      List<String> exhausted =
          nodes.all().stream()
              .flatMap(it -> it.server().lines("OutOfMemoryError").stream())
              .toList();
      if (!exhausted.isEmpty()) {
        throw new AssertionError("A server has run out of memory: " + exhausted);
      }
      return "%s messages of %s bytes".formatted(BIG_ROWS_NUMBER, BIG_ROW_BYTES);
    }
  };

  /** Where they go: nobody listens, so nothing of them stays. */
  public static final String TOPIC =
      """
      <server>
        <jmsTopic id="jms/backlog" jndiName="jms/backlog">
          <properties.wasJms topicName="backlog"/>
        </jmsTopic>
      </server>
      """;

  private static final int FOLLOWERS = 200_000;
  private static final int LATE_FOLLOWERS = 1_000;
  private static final int BIG_ROWS_NUMBER = 150;

  /** 600 MB in all; the server has 512 MB. */
  private static final int BIG_ROW_BYTES = 4 << 20;

  /** It takes minutes to send a backlog. */
  @Override
  public int clients(int wanted) {
    return 1;
  }

  /** Without one more message sent; how long all of them take is the machine's affair. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

  private static void awaitSent(Nodes nodes, long key, int number) {
    int sent = firstSent(nodes, key).size();
    while (sent < number) {
      int before = sent;
      await("message %s of %s of a backlog to be sent".formatted(before + 1, number))
          .atMost(LONGEST_PAUSE)
          .pollInterval(Duration.ofSeconds(5)) // the log of what was sent is long
          .until(() -> firstSent(nodes, key).size() > before);
      sent = firstSent(nodes, key).size();
    }
  }

  private static Set<String> firstSent(Nodes nodes, long key) {
    Set<String> ids = new LinkedHashSet<>();
    nodes.sent().stream()
        .filter(sent -> sent.committed() && sent.destination().equals(Tables.BACKLOG_DESTINATION))
        .map(Sent::messageId)
        .filter(id -> Tables.isOf(id, key))
        .forEach(ids::add);
    return ids;
  }
}
