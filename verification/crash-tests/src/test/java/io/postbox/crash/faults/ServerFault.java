package io.postbox.crash.faults;

import io.postbox.crash.report.EventLines;
import io.postbox.crash.topology.Application;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.server.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Faults of a server as a whole, at any moment. */
public enum ServerFault implements Fault {
  /** SIGKILL. */
  KILLED {
    @Override
    String happen(Nodes nodes, Node node, Random random) {
      return "killed after " + EventLines.seconds(killAfter(nodes, node, random, 200, 3_000));
    }
  },

  /** SIGKILL, and once more while it starts, recovers, or has just begun to catch up. */
  KILLED_AGAIN {
    @Override
    String happen(Nodes nodes, Node node, Random random) {
      Duration first = killAfter(nodes, node, random, 200, 3_000);
      node.server().start();
      nodes.mark(node, "started, logs in " + node.server().logs().getFileName());
      Duration second = killAfter(nodes, node, random, 1_000, 9_000);
      return "killed after %s and %s"
          .formatted(EventLines.seconds(first), EventLines.seconds(second));
    }
  },

  /** SIGSTOP for a while: for the others it is there, and says nothing. */
  FROZEN {
    @Override
    String happen(Nodes nodes, Node node, Random random) {
      return freezeFor(nodes, node, FaultTiming.between(random, 2_000, 12_000));
    }
  },

  /**
   * The same for longer than anybody waits for it: Artemis gives its messages to others after
   * connectionTTL, 20 s, and those of an open XA transaction after transaction-timeout, 60 s here;
   * PostgreSQL ends its claim 30 s after send-timeout, which is 30 s.
   */
  FROZEN_FOR_LONG {
    @Override
    String happen(Nodes nodes, Node node, Random random) {
      return freezeFor(nodes, node, FaultTiming.between(random, 65_000, 75_000));
    }
  },

  /** The application is taken out, and put in again. */
  REDEPLOYED {
    @Override
    String happen(Nodes nodes, Node node, Random random) {
      Duration before = FaultTiming.between(random, 200, 2_000);
      FaultTiming.pause(before);
      Application application = Application.of(node);
      application.undeploy();
      nodes.mark(node, "has no application");
      application.deploy();
      nodes.mark(node, "has it again");
      return "redeployed after " + EventLines.seconds(before);
    }
  },

  /**
   * Its clock jumps by up to an hour, stays there for a while, and jumps back. That is the clock of
   * java.time: of what the product asks the machine for, which are ids above all, and of H2. It
   * jumps back only where H2 is in the server, for what was written to be done in an hour would
   * wait for it. PostgreSQL has a clock of its own, and what the server asks the operating system
   * for goes on.
   */
  CLOCK_OFF {
    @Override
    String happen(Nodes nodes, Node node, Random random) {
      boolean forwards = random.nextBoolean() && nodes.database().readableBesideServer();
      int seconds = (1 + random.nextInt(HOUR)) * (forwards ? 1 : -1);
      Duration length = FaultTiming.between(random, 3_000, 12_000);
      node.rules().arm(name(), String.valueOf(seconds));
      nodes.mark(node, "has a clock that is %s s off".formatted(seconds));
      FaultTiming.pause(length);
      if (!node.rules().wasHit(name())) {
        throw new IllegalStateException("Nobody has asked for the time in " + length);
      }
      node.rules().arm(name(), "0"); // somebody may be about to read how much
      nodes.mark(node, "has a clock that is right");
      return "clock %s s off for %s".formatted(seconds, EventLines.seconds(length));
    }

    @Override
    public List<Rule> rules() {
      return List.of(
          new Rule(
              name(),
              "java.time.Clock",
              "currentInstant",
              "AT EXIT",
              "TRUE",
              "return"
                  + " $!.plusSeconds(Long.parseLong(java.nio.file.Files.readString(armed.toPath())))"));
    }
  };

  private static final int HOUR = 3_600;

  /** The rules that that server must have loaded, inactive. */
  public List<Rule> rules() {
    return List.of();
  }

  abstract String happen(Nodes nodes, Node node, Random random);

  @Override
  public String happen(Nodes nodes, Random random) {
    return happen(nodes, nodes.targets(random).get(0), random);
  }

  private static String freezeFor(Nodes nodes, Node node, Duration length) {
    node.server().freeze();
    nodes.mark(node, "frozen");
    FaultTiming.pause(length);
    node.server().thaw();
    nodes.mark(node, "thawed");
    return "frozen for " + EventLines.seconds(length);
  }

  private static Duration killAfter(Nodes nodes, Node node, Random random, int low, int high) {
    Duration delay = FaultTiming.between(random, low, high);
    FaultTiming.pause(delay);
    node.server().kill();
    nodes.mark(node, "killed");
    return delay;
  }
}
