package io.postbox.crash.topology;

import io.postbox.crash.deployed.HostileApplication;
import io.postbox.crash.deployed.SampleChange;
import io.postbox.testkit.database.Database;
import io.postbox.testkit.sample.Sample;
import io.postbox.testkit.server.LibertyFolder;
import io.postbox.testkit.server.Rule;
import io.postbox.testkit.server.Rules;
import io.postbox.testkit.server.ServerFolder;
import io.postbox.testkit.server.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A server and its sample, on a database and a broker that it may share with others.
 *
 * @param name its folder's
 */
public record Node(
    String name,
    ServerFolder folder,
    Rules rules,
    ServerProcess server,
    Sample sample,
    MessageBroker broker)
    implements AutoCloseable {
  public static final Duration LONGEST_UNTIL_POINT = Duration.ofSeconds(60);
  private static final Duration LONGEST_STOP = Duration.ofSeconds(90);
  private static final String FAILED_RULE = "org.jboss.byteman.rule.exception.";

  /**
   * Makes it, and does not start it.
   *
   * @param root where it lies
   * @param more variables of the server
   */
  static Node create(
      Settings settings,
      Database database,
      MessageBroker broker,
      Path root,
      Map<String, String> more) {
    Map<String, String> variables = new TreeMap<>(database.variables());
    variables.putAll(broker.variables());
    variables.put("postbox.security", "demonstration"); // its user looks at the console
    variables.putAll(more);
    ServerFolder folder = settings.kind().create(settings.workspace(), root, variables);
    HostileApplication.addTo(folder);
    Rules rules =
        new Rules(
            settings.workspace().artifacts().resolve("byteman.jar"),
            root.resolve("rules"),
            "xa".equals(variables.get("postbox.outbox.delivery")));
    ServerProcess server = new ServerProcess(folder, rules);
    return new Node(
        String.valueOf(root.getFileName()),
        folder,
        rules,
        server,
        new Sample(server.base()),
        broker);
  }

  /**
   * Its folder, of an Open Liberty.
   *
   * @throws ClassCastException if it is another server's
   */
  public LibertyFolder liberty() {
    return (LibertyFolder) folder;
  }

  /** Starts it and waits until it can take an order. */
  public void start() {
    server.start();
    server.awaitReady();
  }

  /**
   * Starts it and stops it in order once. Its starts after a kill then cost a fifth less: like
   * those of a container whose image was made with such a start.
   */
  public void prepareStarts() {
    start();
    server.terminate();
    if (server.awaitExit(LONGEST_STOP) == -1) {
      throw new IllegalStateException("The server does not stop, logs in " + server.logs());
    }
    folder.keepCaches();
  }

  /** Waits until an armed part of the rules has killed it. */
  public void awaitDeathAt(String part) {
    if (!diesAt(part, LONGEST_UNTIL_POINT)) {
      throw new IllegalStateException(
          "The server did not die at %s, logs in %s".formatted(part, server.logs()));
    }
  }

  /**
   * Waits until an armed part of the rules has killed it.
   *
   * @return whether it has; if not, it runs on, and has not reached it often enough
   */
  public boolean diesAt(String part, Duration atMost) {
    int exit = server.awaitExit(atMost);
    boolean hit = rules.wasHit(part);
    if (hit && exit == -1) {
      exit = server.awaitExit(LONGEST_UNTIL_POINT); // it is dying
    }
    if (hit ? exit != Rule.EXIT : exit != -1) {
      throw new IllegalStateException(
          "The server was to die at %s; exit code %s, the rule was %s, logs in %s%s"
              .formatted(
                  part,
                  exit,
                  hit ? "hit" : "never hit",
                  server.logs(),
                  server.lines(FAILED_RULE).stream()
                      .limit(1)
                      .map("; the rule itself failed: "::concat)
                      .collect(Collectors.joining())));
    }
    return hit;
  }

  /** How many messages each queue holds, in whatever state. */
  public Map<String, Long> queues() {
    return broker.depths(server);
  }

  /** Lets the sample's listeners leave the transaction to the inbox; before the start. */
  public void inOwnTransactions() {
    change(SampleChange.OWN_TRANSACTIONS);
  }

  /** Changes the sample; before the start. */
  void change(SampleChange change) {
    change.patch(folder.sample());
  }

  @Override
  public void close() {
    server.close();
  }
}
