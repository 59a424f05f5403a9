package io.postbox.crash.faults;

import static org.awaitility.Awaitility.await;

import io.postbox.crash.deployed.HostileServlet;
import io.postbox.crash.deployed.VersionsListener;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.database.Tables;
import io.postbox.testkit.injected.InjectedFaults;
import io.postbox.testkit.model.HostileMessage;
import io.postbox.testkit.server.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** Handlers that fail, or do harm without an exception. */
public enum HandlerFault implements Fault {
  /** Marks the transaction for rollback and returns as if nothing were wrong. */
  SILENT_ROLLBACK {
    @Override
    public String happen(Nodes nodes, Random random) {
      return someTimes(nodes, random, "silent rollbacks");
    }

    @Override
    public List<Rule> rules() {
      return Stream.of(
              List.of(SERVICE, "ship"), List.of(VersionsListener.class.getName(), "onMessage"))
          .map(
              handler ->
                  new Rule(
                      name(),
                      handler.get(0),
                      handler.get(1),
                      "AT EXIT",
                      isDueStill(),
                      InjectedFaults.class.getName() + ".rollBackSilently()"))
          .toList();
    }
  },

  /** A handler of captured messages throws, and those behind its message with its key wait. */
  CAPTURED_FAILS {
    @Override
    public String happen(Nodes nodes, Random random) {
      return someTimes(nodes, random, "failures of a handler of captured messages");
    }

    @Override
    public List<Rule> rules() {
      return List.of(
          new Rule(
              name(),
              "io.postbox.inbox.interceptor.HandlerCalls",
              "call",
              "AT EXIT",
              isDueStill(),
              "throw new IllegalStateException(\"the handler fails\")"));
    }
  },

  /** Handlers end in an Error, those of listeners as those of captured messages. */
  ERRORS {
    @Override
    public String happen(Nodes nodes, Random random) {
      return someTimes(nodes, random, "handlers that end in an Error");
    }

    @Override
    public List<Rule> rules() {
      return atEnds("throw new LinkageError(\"the handler ends in an Error\")");
    }
  },

  /** The same, and they leave their thread interrupted. */
  INTERRUPTS {
    @Override
    public String happen(Nodes nodes, Random random) {
      return someTimes(nodes, random, "handlers that interrupt their thread");
    }

    @Override
    public List<Rule> rules() {
      return atEnds(
          "Thread.currentThread().interrupt(); throw new LinkageError(\"the handler interrupts\")");
    }
  },

  /** The server dies of one message each time it handles it, until the inbox gives that one up. */
  DEADLY_MESSAGE {
    @Override
    public String happen(Nodes nodes, Random random) {
      List<Node> targets = nodes.targets(random);
      targets.forEach(node -> node.rules().arm(name()));
      UUID tag = UUID.randomUUID();
      nodes.sendHostileMessage(targets.get(0), HostileMessage.DEADLY, tag);
      int deaths = 0;
      while (!diesOrParks(nodes, targets, tag, deaths)) {
        for (Node node : targets) {
          if (!node.server().isRunning()) {
            deaths++;
            nodes.mark(node, "killed by a message");
            node.server().start();
            nodes.mark(node, "started, logs in " + node.server().logs().getFileName());
          }
        }
        if (deaths > MOST_DEATHS) {
          throw new IllegalStateException(
              "A message has killed %s servers and is not parked".formatted(deaths));
        }
      }
      targets.forEach(node -> node.rules().disarm(name()));
      return "killed %s times by one message".formatted(deaths);
    }

    /** Waits for one or the other; returns whether the message is parked and all run. */
    private boolean diesOrParks(Nodes nodes, List<Node> targets, UUID tag, int deaths) {
      await("a death, or the message to be parked")
          .atMost(LONGEST_DEATH)
          .until(
              () ->
                  anyIsDead(targets)
                      || (nodes.database().readableBesideServer()
                          ? isParked(nodes, tag)
                          : deaths > 0 && anySaysParked(targets)));
      return !anyIsDead(targets);
    }

    private boolean anyIsDead(List<Node> targets) {
      return targets.stream().anyMatch(node -> !node.server().isRunning());
    }

    /** Since its latest start, which was after the message was sent. */
    private boolean anySaysParked(List<Node> targets) {
      return targets.stream()
          .flatMap(node -> node.server().lines("IBX0009").stream())
          .anyMatch(line -> line.contains("died max-crashes times"));
    }

    private boolean isParked(Nodes nodes, UUID tag) {
      return Tables.keptAside(nodes.database()).stream()
          .anyMatch(kept -> kept.tag().equals(tag.toString()));
    }

    @Override
    public List<Rule> rules() {
      return List.of(
          new Rule(
              name(),
              SERVICE,
              "ship",
              "AT ENTRY",
              "$1.sku().equals(\"%s\")".formatted(HostileServlet.DEADLY_SKU),
              "Runtime.getRuntime().halt(" + Rule.EXIT + ")"));
    }
  };

  private static final String SERVICE = "io.postbox.sample.shipping.ShippingService";

  /** Fewer than the attempts that a message has. */
  private static final int MOST_FAILURES = 8;

  /** Otherwise it would happen again so often after each start. */
  private static final String NEVER = "0";

  private static final int MOST_DEATHS = 12;

  /** With a start in it, which may take four minutes, and the delivery of what others left. */
  private static final Duration LONGEST_DEATH = Duration.ofMinutes(6);

  /** The rules that that server must have loaded, inactive. */
  public abstract List<Rule> rules();

  /** At the end of all handlers, those of listeners and those of captured messages. */
  final List<Rule> atEnds(String action) {
    return Stream.of(
            List.of(SERVICE, "ship"), List.of("io.postbox.inbox.interceptor.HandlerCalls", "call"))
        .map(
            handler ->
                new Rule(name(), handler.get(0), handler.get(1), "AT EXIT", isDueStill(), action))
        .toList();
  }

  /** Whether it has not yet happened as often as it was armed for. */
  final String isDueStill() {
    return "incrementCounter(\"%s\" + armed.lastModified()) <= Integer.parseInt(java.nio.file.Files.readString(armed.toPath()))"
        .formatted(name());
  }

  /**
   * Has it happen up to as often as a message may fail, in the first server that handles something
   * while it is its turn: Artemis may have given all ordering keys to the consumers of another one.
   *
   * @param what for a person
   */
  final String someTimes(Nodes nodes, Random random, String what) {
    int times = 1 + random.nextInt(MOST_FAILURES);
    FaultTiming.pause(FaultTiming.between(random, 200, 2_000));
    List<Node> targets = nodes.targets(random);
    for (Node node : targets) {
      node.rules().arm(name(), String.valueOf(times));
      nodes.mark(node, "%s %s".formatted(times, what));
      boolean happened = happensIn(node, Node.LONGEST_UNTIL_POINT.dividedBy(targets.size()));
      if (happened) {
        FaultTiming.pause(FaultTiming.between(random, 500, 2_000));
      }
      node.rules().arm(name(), NEVER); // not disarmed: somebody may be about to read that
      if (happened) {
        return "%s %s".formatted(times, what);
      }
      nodes.mark(node, "handles nothing that fails");
    }
    throw new IllegalStateException("No server has handled anything: 0 " + what);
  }

  private boolean happensIn(Node node, Duration length) {
    try {
      await().atMost(length).until(() -> node.rules().wasHit(name()));
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }
}
