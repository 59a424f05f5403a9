package io.postbox.crash.scenario;

import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.Node;
import io.postbox.testkit.database.Database;
import io.postbox.testkit.server.Rule;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The runs of the handler that ships orders, each of which leaves a line in the server's log when
 * it begins. One can be made to take long.
 *
 * @param node where it runs, with the {@link #rules} in it
 */
public record Handlers(Node node) {
  private static final String LISTENER = "io.postbox.sample.shipping.ShippingMdb";
  private static final String SERVICE = "io.postbox.sample.shipping.ShippingService";
  private static final String BEGIN = "begin";
  private static final String END = "end";
  private static final String LONG = "long";
  private static final String LATE = "late";
  private static final String BEGINS = "A handler of shipments begins";
  private static final String ENDS = "A handler of shipments ends";

  /** Rollbacks without a line of their own. */
  private static final Pattern HELD_BACK =
      Pattern.compile("IBX0122 (\\d+) more attempts of the consumer 'shipping'");

  /**
   * The contents of the database while no server has it.
   *
   * @param shipments effects
   * @param handled rows of the inbox for them
   * @param heldAgainst failures that count against a message
   */
  record Kept(long shipments, long handled, long heldAgainst) {
    static final Kept NOTHING = new Kept(0, 0, 0);

    static Kept in(Database database) {
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  """
                  SELECT (SELECT COUNT(*) FROM shipment),
                         (SELECT COUNT(*) FROM inbox_message WHERE consumer = 'shipping'),
                         (SELECT COUNT(*) FROM inbox_failure
                           WHERE kind IN ('FAILED', 'REJECTED'))
                  """)) {
        row.next();
        return new Kept(row.getLong(1), row.getLong(2), row.getLong(3));
      } catch (SQLException e) {
        throw new IllegalStateException("The database cannot be read", e);
      }
    }
  }

  /**
   * Makes every run take a while, so that some are at work at any moment under load.
   *
   * @param longOne how long the one takes that takes long
   */
  public static List<Rule> rules(Duration longOne) {
    return List.of(
        listener(BEGIN, "AT ENTRY", "TRUE", "traceln(\"%s\"); delay(100)".formatted(BEGINS)),
        listener(END, "AT EXIT", "TRUE", "traceln(\"%s\")".formatted(ENDS)),
        new Rule(
            LONG,
            SERVICE,
            "ship",
            "AT ENTRY",
            "incrementCounter(\"long\") == 1",
            "delay(%s)".formatted(longOne.toMillis())),
        listener(
            LATE,
            "AT EXIT",
            "incrementCounter(\"late\") == 1",
            "delay(%s)".formatted(longOne.toMillis())));
  }

  private static Rule listener(String part, String where, String condition, String action) {
    return new Rule(part, LISTENER, "onMessage", where, condition, action);
  }

  /** From now on they are counted; best before the start, which may bring what was left over. */
  void count() {
    node.rules().arm(BEGIN);
    node.rules().arm(END);
  }

  /** One will take long, before it has had any effect. */
  void makeOneLong() {
    node.rules().arm(LONG);
  }

  /** One will take long, after it has had its effect. */
  void makeOneLate() {
    node.rules().arm(LATE);
  }

  void awaitLong() {
    awaitOne(LONG);
  }

  void awaitLate() {
    awaitOne(LATE);
  }

  private void awaitOne(String part) {
    await("a handler that takes long").until(() -> node.rules().wasHit(part));
  }

  /** How many have begun in the latest start. */
  int begun() {
    return node.server().lines(BEGINS).size();
  }

  /**
   * How many the inbox says were rolled back, whoever's fault it was. Those of a burst without a
   * line of their own are counted in one line when it is over, up to 15 seconds later.
   */
  int rolledBack() {
    int withLine =
        node.server().lines("IBX0008 Attempt").stream()
            .filter(line -> line.contains("'shipping'"))
            .toList()
            .size();
    int heldBack =
        node.server().lines("IBX0122").stream()
            .map(HELD_BACK::matcher)
            .filter(Matcher::find)
            .mapToInt(found -> Integer.parseInt(found.group(1)))
            .sum();
    return withLine + heldBack;
  }

  /** How many were at work when a line came with one of these in it. */
  int atWorkAt(String... parts) {
    int atWork = 0;
    for (String line : node.server().lines("")) {
      if (line.contains(BEGINS)) {
        atWork++;
      } else if (line.contains(ENDS)) {
        atWork--;
      } else if (containsAny(line, parts)) {
        return atWork;
      }
    }
    throw new IllegalStateException("The server's log has none of " + List.of(parts));
  }

  private static boolean containsAny(String line, String... parts) {
    List<String> found = new ArrayList<>(List.of(parts));
    found.removeIf(part -> !line.contains(part));
    return !found.isEmpty();
  }
}
