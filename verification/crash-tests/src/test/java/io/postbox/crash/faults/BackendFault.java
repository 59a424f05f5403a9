package io.postbox.crash.faults;

import static org.awaitility.Awaitility.await;

import io.postbox.crash.report.EventLines;
import io.postbox.crash.topology.LinkedBackend;
import io.postbox.crash.topology.Nodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Faults of a backend, or of the network on the way to it: once for a while, or some times in a
 * row, so that who has just found his way back loses it again.
 *
 * @param backend the backend's name
 */
public record BackendFault(String backend, Harm harm) implements Fault {
  private static final int MOST_TIMES = 4;
  private static final Duration LONGEST_CONNECT = Duration.ofMinutes(2);

  /** How. */
  public enum Harm {
    KILLED {
      @Override
      void begin(LinkedBackend backend, Random random) {
        backend.process().kill();
      }

      @Override
      void end(LinkedBackend backend) {
        backend.process().start();
      }
    },
    FROZEN {
      @Override
      void begin(LinkedBackend backend, Random random) {
        backend.process().freeze();
      }

      @Override
      void end(LinkedBackend backend) {
        backend.process().thaw();
      }
    },
    /** Every connection is reset, and none is made. */
    CUT_OFF {
      @Override
      void begin(LinkedBackend backend, Random random) {
        backend.link().cut();
      }
    },
    /** Everything takes longer. */
    SLOW {
      @Override
      void begin(LinkedBackend backend, Random random) {
        backend.link().slow(FaultTiming.between(random, 20, 400));
      }
    },
    /** A black hole: connections stay, and nothing arrives. */
    SILENT {
      @Override
      void begin(LinkedBackend backend, Random random) {
        backend.link().silence();
      }
    };

    abstract void begin(LinkedBackend backend, Random random);

    void end(LinkedBackend backend) {
      backend.link().restore();
    }
  }

  /** All that can be done to one. */
  public static List<Fault> of(String backend) {
    return Arrays.stream(Harm.values())
        .<Fault>map(harm -> new BackendFault(backend, harm))
        .toList();
  }

  @Override
  public String name() {
    return backend + "_" + harm;
  }

  @Override
  public String happen(Nodes nodes, Random random) {
    LinkedBackend target = nodes.backend(backend);
    // A server is ready before its endpoints have connected, if the machine is busy.
    await()
        .alias("a connection to the " + backend + " through the link")
        .atMost(LONGEST_CONNECT)
        .until(() -> target.link().connections() > 0);
    int times = 1 + random.nextInt(MOST_TIMES);
    List<String> lengths = new ArrayList<>();
    for (int time = 0; time < times; time++) {
      FaultTiming.pause(FaultTiming.between(random, 200, 2_000));
      Duration length = FaultTiming.between(random, 500, times == 1 ? 15_000 : 4_000);
      harm(target, nodes, random, length);
      lengths.add(EventLines.seconds(length));
    }
    return "%s for %s".formatted(name(), String.join(", ", lengths));
  }

  private void harm(LinkedBackend target, Nodes nodes, Random random, Duration length) {
    harm.begin(target, random);
    nodes.mark(name());
    FaultTiming.pause(length);
    harm.end(target);
    nodes.mark(name() + " no longer");
  }
}
