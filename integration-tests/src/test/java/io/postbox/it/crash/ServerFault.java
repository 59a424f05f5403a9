package io.postbox.it.crash;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** What can be done to the first server as a whole, at any moment. */
enum ServerFault implements Fault {
  /** SIGKILL. */
  KILLED {
    @Override
    public String happen(Nodes nodes, Random random) {
      return "killed after " + Life.seconds(killAfter(nodes, random, 200, 3_000));
    }
  },

  /** SIGKILL, and once more while it starts, recovers, or has just begun to catch up. */
  KILLED_AGAIN {
    @Override
    public String happen(Nodes nodes, Random random) {
      Duration first = killAfter(nodes, random, 200, 3_000);
      Node node = nodes.get(0);
      node.server().start();
      nodes.mark(node, "started, logs in " + node.server().logs().getFileName());
      Duration second = killAfter(nodes, random, 1_000, 9_000);
      return "killed after %s and %s".formatted(Life.seconds(first), Life.seconds(second));
    }
  },

  /** SIGSTOP for a while: for the others it is there, and says nothing. */
  FROZEN {
    @Override
    public String happen(Nodes nodes, Random random) {
      Node node = nodes.get(0);
      Duration length = Moments.between(random, 2_000, 12_000);
      node.server().freeze();
      nodes.mark(node, "frozen");
      Moments.pause(length);
      node.server().thaw();
      nodes.mark(node, "thawed");
      return "frozen for " + Life.seconds(length);
    }
  },

  /** The application is taken out, and put in again. */
  REDEPLOYED {
    @Override
    public String happen(Nodes nodes, Random random) {
      Node node = nodes.get(0);
      Duration before = Moments.between(random, 200, 2_000);
      Moments.pause(before);
      Application application = new Application(node.folder().mbeans());
      application.undeploy();
      nodes.mark(node, "has no application");
      application.deploy();
      nodes.mark(node, "has it again");
      return "redeployed after " + Life.seconds(before);
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
    public String happen(Nodes nodes, Random random) {
      Node node = nodes.get(0);
      boolean forwards = random.nextBoolean() && nodes.database().readableBesideServer();
      int seconds = (1 + random.nextInt(HOUR)) * (forwards ? 1 : -1);
      Duration length = Moments.between(random, 3_000, 12_000);
      node.rules().arm(name(), String.valueOf(seconds));
      nodes.mark(node, "has a clock that is %d s off".formatted(seconds));
      Moments.pause(length);
      if (!node.rules().wasHit(name())) {
        throw new IllegalStateException("Nobody has asked for the time in " + length);
      }
      node.rules().arm(name(), "0"); // somebody may be about to read how much
      nodes.mark(node, "has a clock that is right");
      return "clock %d s off for %s".formatted(seconds, Life.seconds(length));
    }

    @Override
    List<Rule> rules() {
      return List.of(
          new Rule(
              name(),
              "java.time.Clock",
              "currentInstant",
              "AT EXIT",
              "TRUE",
              "return $!.plusSeconds(Long.parseLong(java.nio.file.Files.readString(armed.toPath())))"));
    }
  };

  private static final int HOUR = 3_600;

  /** What the first server must have in it, asleep. */
  List<Rule> rules() {
    return List.of();
  }

  private static Duration killAfter(Nodes nodes, Random random, int low, int high) {
    Duration delay = Moments.between(random, low, high);
    Moments.pause(delay);
    Node node = nodes.get(0);
    node.server().kill();
    nodes.mark(node, "killed");
    return delay;
  }
}
