package io.postbox.crash.faults;

import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.database.Tables;
import java.util.Random;

/**
 * The clock steps by an hour, back or forth, while handlers fail and their messages wait for a
 * later attempt: that of the database, that of java.time in all servers, or both. All has to come
 * to rest by that clock; then it steps back again. H2 has the clock of its server. PostgreSQL's is
 * that of {@code clock_timestamp()}; what the broker and the operating system say goes on.
 */
public record ClockFault() implements Fault {
  private static final long HOUR = 3_600;
  private static final HandlerFault FAILING = HandlerFault.CAPTURED_FAILS;
  private static final String FAILURES = "4";

  @Override
  public String name() {
    return "CLOCK_STEPS";
  }

  @Override
  public String happen(Nodes nodes, Random random) {
    long seconds = random.nextBoolean() ? HOUR : -HOUR;
    boolean hasOwn = nodes.database().readableBesideServer();
    boolean ofDatabase = hasOwn && random.nextBoolean();
    boolean ofServers = !ofDatabase || random.nextBoolean();
    fail(nodes);
    FaultTiming.pause(FaultTiming.between(random, 500, 2_000)); // something has failed by then
    step(nodes, ofDatabase, ofServers, seconds);
    FaultTiming.pause(FaultTiming.between(random, 3_000, 8_000));
    return "the clock of %s%s%s %s s off"
        .formatted(
            ofDatabase ? "the database" : "",
            ofDatabase && ofServers ? " and " : "",
            ofServers ? "the servers" : "",
            seconds);
  }

  @Override
  public boolean end(Nodes nodes) {
    fail(nodes);
    nodes.all().forEach(node -> nodes.order(node, 1));
    step(nodes, nodes.database().readableBesideServer(), true, 0);
    return true;
  }

  private static void fail(Nodes nodes) {
    nodes.targets(new Random(0)).forEach(node -> node.rules().arm(FAILING.name(), FAILURES));
  }

  private static void step(Nodes nodes, boolean ofDatabase, boolean ofServers, long seconds) {
    if (ofDatabase) {
      Tables.setClock(nodes.database(), seconds);
    }
    if (ofServers) {
      for (Node node : nodes.targets(new Random(0))) {
        // not disarmed: somebody may be about to read that
        node.rules().arm(ServerFault.CLOCK_OFF.name(), String.valueOf(seconds));
      }
    }
    nodes.mark("the clock is %s s off".formatted(seconds));
  }
}
