package io.postbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An on-call person's walks through the console of a real server, each through a trouble that is
 * really there: from the overview to its cause in at most three clicks, and to its redrive in at
 * most three more.
 */
@Tag("browser")
@EnabledIf(
    value = "io.postbox.browser.Drawn#troubles",
    disabledReason = "These walks are in the builds with an odd tenth")
class TroubleWalksIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension static final Walks walks = new Walks();

  private WalkServer server;

  @BeforeEach
  void start() {
    server = walks.server();
  }

  @Test
  void aBrokerOutageIsSeenAtItsDestinationAndEndsByItself() {
    server.killBroker();
    server.enqueue("orders", 1, 3, "key", "outage");
    Clicks clicks = new Clicks(walks.window(), "broker outage");
    clicks.toOverview();
    clicks.lookAt("Nothing is sent to 1 destination,", "Destinations");
    Page page = clicks.page();
    assertThat(row(page, "orders")).containsText("Circuit open");
    clicks.follow(row(page, "orders").locator("a").first(), "orders");
    assertThat(page.locator("main")).containsText("cannot connect");
    clicks.causeIsSeen();

    server.startBroker();
    assertThat(server.awaitArrivals("orders", 3)).containsExactly("1", "2", "3");
    assertThat(page.locator("main")).containsText("All circuits are closed.");
    clicks.goesOnByItself();
    clicks.end();
  }

  @Test
  void aPoisonMessageIsUnderstoodByItsAttemptsAndRedrivenOnce() {
    server.breakIt("payments");
    List<String> ids = server.enqueue("payments", 41, 41);
    Clicks clicks = new Clicks(walks.window(), "poison message");
    clicks.toOverview();
    clicks.lookAt("1 message is parked", "Failures");
    Page page = clicks.page();
    clicks.follow(page.locator("a.cause"), "IllegalStateException");
    assertThat(page.locator("main")).containsText("The account of message");
    assertThat(page.locator("main")).containsText("Desk.handle");
    clicks.follow(page.locator("tbody a.id"), "Parked message");
    assertThat(page.locator("main")).containsText(ids.get(0));
    assertThat(attempts(page)).hasCount(2);
    clicks.causeIsSeen();

    server.mend("payments");
    redrive(clicks, "Redrive…", "Redrive 1 message", "the account is open again");
    assertThat(server.awaitArrivals("payments", 1)).containsExactly("41");
    clicks.end();
  }

  @Test
  void aParkedMessageIsFoundByItsOrderNumberAndRedrivenInThreeClicks() {
    server.breakIt("payments");
    server.enqueue("payments", 42, 42);
    Clicks clicks = new Clicks(walks.window(), "parked message of an order");
    clicks.toOverview();
    clicks.awaitConcern("1 message is parked: payments.");
    server.mend("payments");
    clicks.search("42"); // typed, and Enter
    Page page = clicks.page();
    Locator parked =
        page.locator("tbody tr", new Page.LocatorOptions().setHasText("parked")).locator("a.id");
    assertThat(parked).hasCount(1);
    clicks.follow(parked, "Parked message");
    redrive(clicks, "Redrive…", "Redrive 1 message", "the account is open again");
    assertThat(server.awaitArrivals("payments", 1)).containsExactly("42");
    clicks.goTo("Audit", "Audit");
    assertThat(
            page.locator(
                "tbody tr", new Page.LocatorOptions().setHasText("the account is open again")))
        .containsText("aggregate-id=42");
    clicks.end();
  }

  @Test
  void aHeldKeyIsFreedByItsHeadAndTheOthersFollowInOrder() {
    server.breakIt("invoice/1");
    server.enqueue("invoices", 1, 4, "key", "customer-1", "table", "invoice");
    Clicks clicks = new Clicks(walks.window(), "held key");
    clicks.toOverview();
    clicks.lookAt("3 messages wait behind a failed one", "Failures");
    Page page = clicks.page();
    clicks.follow(page.locator("a.cause"), "IllegalStateException");
    assertThat(page.locator("main")).containsText("invoice 1 is not written yet");
    clicks.follow(page.locator("tbody a.id"), "Dead letter");
    assertThat(page.locator("main")).containsText("customer-1, 3 messages wait behind it");
    clicks.causeIsSeen();

    server.mend("invoice/1");
    redrive(clicks, "Redrive…", "Redrive 1 message", "the invoice is written");
    assertThat(server.awaitArrivals("orders", 4)).containsExactly("1", "2", "3", "4");
    clicks.end();
  }

  @Test
  void aMissingVersionIsNamedAndTheLaterOnesFollowItInOrder() {
    server.enqueue("ledger", 1, 1, "versions", "A-1");
    server.enqueue("ledger", 3, 4, "versions", "A-1");
    Clicks clicks = new Clicks(walks.window(), "missing version");
    clicks.toOverview();
    clicks.lookAt("1 aggregate misses a version", "Gaps");
    assertThat(row(clicks.page(), "A-1").locator("td").nth(2)).hasText("2");
    clicks.causeIsSeen();

    server.enqueue("ledger", 2, 2, "versions", "A-1");
    clicks.goesOnByItself();
    assertThat(server.awaitArrivals("ledger", 4)).containsExactly("1", "2", "3", "4");
    clicks.end();
  }

  @Test
  void aFullBacklogLeadsToTheMistypedDestinationAndIsRedirected() {
    int enqueued = WalkServer.FULL;
    AtomicInteger accepted = new AtomicInteger();
    server.enqueue("ordesr", 1, enqueued);
    await("the backlog to be known as full").atMost(PATIENCE).until(() -> !accepts(accepted));
    Clicks clicks = new Clicks(walks.window(), "full backlog");
    clicks.toOverview();
    clicks.lookAt("enqueue refuses more", "Destinations");
    Page page = clicks.page();
    clicks.follow(row(page, "ordesr").locator("a").first(), "ordesr");
    assertThat(page.locator("main")).containsText("no JMS destination is bound to jms/ordesr");
    clicks.causeIsSeen();

    Locator dialog = clicks.plan("Redirect…");
    assertThat(dialog.getByLabel("Send to")).isFocused();
    clicks.type("orders");
    page.keyboard().press("Tab");
    clicks.type("the name was mistyped");
    clicks.press(String.format(Locale.ROOT, "Redirect %,d messages", enqueued));
    assertThat(page.locator("main")).containsText("Everything enqueued for this destination");
    clicks.redriveHasBegun();
    await("the backlog to be known as small again").atMost(PATIENCE).until(() -> accepts(accepted));
    server.awaitArrivals("orders", enqueued + accepted.get());
    clicks.end();
  }

  @Test
  void aStuckPartitionIsNamedWithItsHolderAndGoesOnWithoutIt() throws SQLException {
    Clicks clicks = new Clicks(walks.window(), "stuck partition");
    try (Connection holder = server.connect();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("SET application_name = 'a forgotten psql'");
      statement.execute("SELECT * FROM outbox_partition FOR UPDATE");
      String session = session(statement);
      server.enqueue("orders", 1, 3, "key", "stuck");
      String partition = server.column("SELECT DISTINCT partition_no FROM outbox_message").get(0);
      clicks.toOverview();
      clicks.lookAt("1 partition is held by a transaction that sends nothing", "Nodes");
      assertThat(clicks.page().locator("main")).containsText("partition " + partition);
      assertThat(clicks.page().locator("main"))
          .containsText(
              "held by session %s (a forgotten psql) from 127.0.0.1, idle in transaction"
                  .formatted(session));
      clicks.causeIsSeen();
      holder.rollback();
    }
    assertThat(server.awaitArrivals("orders", 3)).containsExactly("1", "2", "3");
    clicks.goesOnByItself();
    clicks.end();
  }

  @Test
  void aQuarantinedPayloadIsComparedByItsFingerprintsAndDiscarded() {
    String id = server.enqueue("orders", 7, 7).get(0);
    server.awaitArrivals("orders", 1);
    server.sendPastTheOutbox("orders", id, "70000");
    Clicks clicks = new Clicks(walks.window(), "quarantined payload");
    clicks.toOverview();
    clicks.lookAt("1 delivery is in quarantine", "Quarantined messages");
    Page page = clicks.page();
    clicks.follow(page.locator("tbody a.id"), "Quarantined message");
    assertThat(page.locator("main")).containsText("its id was handled with another body");
    List<String> fingerprints = page.locator(".facts div").allTextContents();
    assertThat(fingerprints).anyMatch(it -> it.contains("Fingerprint of the handled body"));
    clicks.causeIsSeen();

    redrive(clicks, "Discard…", "Discard 1 message", "the sender used the id twice");
    assertThat(server.column("SELECT message_id FROM inbox_stored")).isEmpty();
    assertThat(server.arrivals("orders")).containsExactly("7");
    clicks.end();
  }

  /** Opens the plan, types the reason, runs it, and sees it done; two clicks. */
  private static void redrive(Clicks clicks, String open, String run, String reason) {
    Locator dialog = clicks.plan(open);
    assertThat(dialog.getByLabel("Reason")).isFocused();
    clicks.type(reason);
    clicks.press(run);
    clicks.heading(open.startsWith("Redrive") ? "Redrive" : "Discard");
    clicks.redriveHasBegun();
    assertThat(clicks.page().locator("main .badge").first()).hasText("Done");
  }

  /** Whether enqueue takes another message. */
  private boolean accepts(AtomicInteger accepted) {
    boolean accepts = !server.enqueue("orders", 1, 1).isEmpty();
    if (accepts) {
      accepted.incrementAndGet();
    }
    return accepts;
  }

  private static String session(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getString(1);
    }
  }

  private static Locator row(Page page, String destination) {
    return page.locator("tbody tr", new Page.LocatorOptions().setHasText(destination));
  }

  private static Locator attempts(Page page) {
    return page.locator("tbody tr");
  }
}
