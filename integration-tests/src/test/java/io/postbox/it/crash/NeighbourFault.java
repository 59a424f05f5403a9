package io.postbox.it.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What can be done to a backend, or to the network on the way to it: once for a while, or some
 * times in a row, so that who has just found his way back loses it again.
 *
 * @param neighbour the backend's name
 */
record NeighbourFault(String neighbour, Harm harm) implements Fault {
  private static final int MOST_TIMES = 4;

  /** How. */
  enum Harm {
    KILLED {
      @Override
      void begin(Neighbour neighbour, Random random) {
        neighbour.process().kill();
      }

      @Override
      void end(Neighbour neighbour) {
        neighbour.process().start();
      }
    },
    FROZEN {
      @Override
      void begin(Neighbour neighbour, Random random) {
        neighbour.process().freeze();
      }

      @Override
      void end(Neighbour neighbour) {
        neighbour.process().thaw();
      }
    },
    /** Every connection is reset, and none is made. */
    CUT_OFF {
      @Override
      void begin(Neighbour neighbour, Random random) {
        neighbour.link().cut();
      }
    },
    /** Everything takes longer. */
    SLOW {
      @Override
      void begin(Neighbour neighbour, Random random) {
        neighbour.link().slow(Moments.between(random, 20, 400));
      }
    },
    /** A black hole: connections stay, and nothing arrives. */
    SILENT {
      @Override
      void begin(Neighbour neighbour, Random random) {
        neighbour.link().silence();
      }
    };

    abstract void begin(Neighbour neighbour, Random random);

    void end(Neighbour neighbour) {
      neighbour.link().restore();
    }
  }

  /** All that can be done to one. */
  static List<Fault> of(String neighbour) {
    return Arrays.stream(Harm.values())
        .<Fault>map(harm -> new NeighbourFault(neighbour, harm))
        .toList();
  }

  @Override
  public String name() {
    return neighbour + "_" + harm;
  }

  @Override
  public String happen(Nodes nodes, Random random) {
    Neighbour target = nodes.neighbour(neighbour);
    if (target.link().connections() == 0) {
      throw new IllegalStateException("Nobody goes to the " + neighbour + " through the link");
    }
    int times = 1 + random.nextInt(MOST_TIMES);
    List<String> lengths = new ArrayList<>();
    for (int time = 0; time < times; time++) {
      Moments.pause(Moments.between(random, 200, 2_000));
      Duration length = Moments.between(random, 500, times == 1 ? 15_000 : 4_000);
      harm(target, nodes, random, length);
      lengths.add(Life.seconds(length));
    }
    return "%s for %s".formatted(name(), String.join(", ", lengths));
  }

  private void harm(Neighbour target, Nodes nodes, Random random, Duration length) {
    harm.begin(target, random);
    nodes.mark(name());
    Moments.pause(length);
    harm.end(target);
    nodes.mark(name() + " no longer");
  }
}
