package io.postbox.crash.soak;

import io.postbox.crash.faults.Fault;
import io.postbox.crash.faults.FaultTiming;
import io.postbox.crash.report.EventLines;
import io.postbox.crash.topology.Cluster;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.server.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Faults of messages in a soak, beside the faults of everything around the server. */
public enum SoakFault implements Fault {
  /** Every third run of the handler that ships fails, so that messages are redelivered later. */
  HANDLERS_FAIL {
    @Override
    public String happen(Nodes nodes, Random random) {
      Node node = nodes.get(0);
      Duration length = FaultTiming.between(random, 2_000, 10_000);
      node.rules().arm(name());
      nodes.mark(node, "has handlers that fail");
      FaultTiming.pause(length);
      boolean failed = node.rules().wasHit(name());
      node.rules().disarm(name());
      nodes.mark(node, "has handlers that do not fail");
      if (!failed) {
        throw new IllegalStateException("No handler has run in " + length);
      }
      return "handlers fail for " + EventLines.seconds(length);
    }

    @Override
    public List<Rule> rules() {
      return List.of(
          new Rule(
              name(),
              "io.postbox.sample.shipping.ShippingMdb",
              "onMessage",
              "AT ENTRY",
              "incrementCounter(\"handlers\") % 3 == 0",
              "throw new IllegalStateException(\"the handler fails\")"));
    }
  },

  /** The messages of some orders come ten times each. */
  DUPLICATED {
    @Override
    public String happen(Nodes nodes, Random random) {
      int copies = 0;
      for (Acknowledged order : nodes.order(nodes.get(0), 1 + random.nextInt(ORDERS))) {
        copies += new Cluster(nodes).resendFromAll(order, COPIES);
      }
      nodes.mark("%s duplicates".formatted(copies));
      return copies + " duplicates";
    }
  };

  private static final int ORDERS = 5;
  private static final int COPIES = 10;

  /** The rules that the first server must have loaded, inactive. */
  public List<Rule> rules() {
    return List.of();
  }

  /** Those of all of them. */
  public static List<Rule> allRules() {
    return Arrays.stream(values()).flatMap(fault -> fault.rules().stream()).toList();
  }
}
