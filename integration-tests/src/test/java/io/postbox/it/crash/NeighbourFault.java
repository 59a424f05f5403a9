package io.postbox.it.crash;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What can be done to a backend, or to the network on the way to it, for a while.
 *
 * @param neighbour the backend's name
 */
record NeighbourFault(String neighbour, Harm harm) implements Fault {

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
    Moments.pause(Moments.between(random, 200, 2_000));
    Duration length = Moments.between(random, 2_000, 15_000);
    if (target.link().connections() == 0) {
      throw new IllegalStateException("Nobody goes to the " + neighbour + " through the link");
    }
    harm.begin(target, random);
    nodes.mark(name());
    Moments.pause(length);
    harm.end(target);
    nodes.mark(name() + " no longer");
    return "%s for %s".formatted(name(), Life.seconds(length));
  }
}
