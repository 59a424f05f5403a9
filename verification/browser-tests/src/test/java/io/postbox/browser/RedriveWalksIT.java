package io.postbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.postbox.browser.Chromium.Window;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Walks through redrives that are large, that are interrupted, and by people of several kinds. */
@Tag("browser")
@EnabledIf(
    value = "io.postbox.browser.Drawn#redrives",
    disabledReason = "These walks are in the builds with an even tenth")
class RedriveWalksIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int MANY = 10_000;

  @RegisterExtension static final Walks walks = new Walks();

  private WalkServer server;

  @BeforeEach
  void start() {
    server = walks.server();
  }

  private void awaitDead(int count) {
    await(count + " dead letters")
        .atMost(PATIENCE)
        .until(
            () ->
                server
                    .column("SELECT count(*) FROM outbox_message WHERE status = 'DEAD'")
                    .equals(List.of(String.valueOf(count))));
  }

  @Test
  void oneOfTenThousandIsFoundByItsOrderAndItsCauseIsRedrivenTenFirst() {
    server.breakIt("odd statement");
    server.breakIt("even statement");
    server.enqueue("statements", 1, MANY, "table", "statement");
    awaitDead(MANY);
    Clicks clicks = new Clicks(walks.window(), "one of 10,000 failures");
    clicks.toOverview();
    clicks.awaitConcern("10,000 dead letters wait for a decision");
    clicks.search("Order/4711");
    Page page = clicks.page();
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(page.locator("tbody tr")).containsText("DEAD");
    clicks.follow(page.locator("tbody a.id"), "Dead letter");
    assertThat(page.locator("main")).containsText("statement 4711 is not written yet");
    clicks.follow(page.getByText("all messages with this error"), "IllegalStateException");
    assertThat(page.locator("main")).containsText("5,000");
    clicks.causeIsSeen();

    server.mend("odd statement");
    Locator dialog = clicks.plan("Redrive…");
    assertThat(dialog.locator(".numbers")).containsText("5,000");
    clicks.type("statements are written again");
    page.keyboard().press("Shift+Tab");
    assertThat(dialog.getByLabel("Try first")).isFocused();
    clicks.type("10");
    clicks.press("Redrive 5,000 messages, 10 first");
    clicks.heading("Redrive");
    clicks.redriveHasBegun();
    server.awaitArrivals("orders", 10);
    List<String> first = IntStream.range(0, 10).mapToObj(i -> String.valueOf(2 * i + 1)).toList();
    assertThat(server.arrivals("orders").subList(0, 10)).containsExactlyInAnyOrderElementsOf(first);
    server.awaitArrivals("orders", MANY / 2);
    assertThat(page.locator("main .badge").first()).hasText("Done");
    assertThat(page.locator(".action-progress")).containsText("5,000 of 5,000");
    assertThat(server.arrivals("orders"))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, MANY / 2).mapToObj(i -> String.valueOf(2 * i + 1)).toList());

    clicks.goTo("Audit", "Audit");
    Locator row =
        page.locator(
            "tbody tr", new Page.LocatorOptions().setHasText("statements are written again"));
    assertThat(row).hasCount(1);
    assertThat(row).containsText("operator");
    assertThat(row).containsText("5,000");
    clicks.goTo("Failures", "Failures");
    assertThat(page.locator("a.cause").first()).hasText("IllegalArgumentException");
    clicks.end();
  }

  @Test
  void aRedriveOutlivesTheBrowserAndTheServerAndDoesNothingTwice() {
    int total = 400;
    String reason = "the archive is back";
    server.breakIt("statement");
    server.enqueue("statements", 1, total, "table", "statement");
    awaitDead(total);
    server.mend("statement");
    Clicks clicks = new Clicks(walks.window(), "a redrive that is interrupted");
    clicks.toOverview();
    clicks.lookAt("400 dead letters wait for a decision", "Failures");
    clicks.follow(clicks.page().locator("a.cause"), "IllegalStateException");
    clicks.causeIsSeen();
    Locator dialog = clicks.plan("Redrive…");
    dialog.getByLabel("Messages per second").fill("20");
    dialog.getByLabel("Reason").fill(reason);
    clicks.press("Redrive 400 messages");
    clicks.heading("Redrive");
    clicks.redriveHasBegun();
    assertThat(clicks.page().locator("main .badge").first()).hasText("Running");
    server.awaitArrivals("orders", 40);
    clicks.end();
    walks.window().close();
    server.killServer();
    assertThat(server.column("SELECT done FROM outbox_action WHERE state = 'RUNNING'"))
        .singleElement()
        .satisfies(done -> assertThat(Integer.valueOf(done)).isBetween(1, total - 1));

    server.startServer();
    walks.reopen();
    Clicks after = new Clicks(walks.window(), "the same after the server was killed");
    after.toOverview();
    after.goTo("Actions", "Actions");
    Page page = after.page();
    after.follow(page.locator("tbody a.id").first(), "Redrive");
    after.causeIsSeen();
    assertThat(page.locator("main .badge").first())
        .hasText("Done", new LocatorAssertions.HasTextOptions().setTimeout(60_000));
    assertThat(page.locator(".action-progress")).containsText("400 of 400");
    assertThat(server.awaitArrivals("orders", total))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, total).mapToObj(String::valueOf).toList());
    assertThat(server.column("SELECT messages FROM postbox_audit WHERE reason = ?", reason))
        .containsExactly(String.valueOf(total));
    after.goTo("Audit", "Audit");
    Locator rows = page.locator("tbody tr", new Page.LocatorOptions().setHasText(reason));
    assertThat(rows).hasCount(1);
    assertThat(rows).containsText("400");
    after.goesOnByItself();
    after.end();
  }

  @Test
  void aDeadLetterIsRedrivenByTheKeyboardAlone() {
    server.breakIt("invoice/1");
    server.enqueue("invoices", 1, 1, "table", "invoice");
    awaitDead(1);
    server.mend("invoice/1");
    Window window = walks.window();
    Page page = window.to("#/");
    Locator worst = page.locator(".concern a").first();
    worst.waitFor(new Locator.WaitForOptions().setTimeout(60_000));
    press(page, worst);
    assertThat(page.locator("main h1")).hasText("Failures");
    press(page, page.locator(".cause").first());
    assertThat(page.locator("main h1")).hasText("IllegalStateException");
    press(page, page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Redrive…")));
    assertThat(page.locator("dialog").getByLabel("Reason")).isFocused();
    page.keyboard().type("the invoice is written");
    page.keyboard().press("Enter");
    assertThat(page.locator("main h1")).hasText("Redrive");
    assertThat(page.locator("#announcer"))
        .containsText(Pattern.compile("Done, 100 percent of 1 message"));
    assertThat(server.awaitArrivals("orders", 1)).containsExactly("1");
    window.assertClean();
  }

  /** Tabs to an element, and presses Enter there. */
  private static void press(Page page, Locator element) {
    for (int i = 0; i < 80; i++) {
      page.keyboard().press("Tab");
      if (Boolean.TRUE.equals(element.evaluate("it => it === document.activeElement"))) {
        page.keyboard().press("Enter");
        return;
      }
    }
    throw new AssertionError("The keyboard does not reach " + element);
  }

  @Test
  void aHeadIsEditedAndTheOthersFollowItInOrder() {
    server.breakIt("invoice/1");
    String id = server.enqueue("invoices", 1, 4, "key", "customer-2", "table", "invoice").get(0);
    awaitDead(1);
    try (Window window = walks.open(WalkServer.ON_CALL)) {
      Clicks clicks = new Clicks(window, "a head that has to be edited");
      clicks.toOverview();
      clicks.lookAt("3 messages wait behind a failed one", "Failures");
      Page page = clicks.page();
      clicks.follow(page.locator("a.cause"), "IllegalStateException");
      clicks.follow(page.locator("tbody a.id"), "Dead letter");
      clicks.causeIsSeen();
      clicks.press("Edit…");
      page.locator("dialog textarea[name=text]").fill("1, written by hand");
      clicks.plan("Preview");
      page.locator("dialog input[name=reason]").fill("the archive has lost it");
      clicks.press("Edit it");
      assertThat(page.locator("main .id").first()).not().hasText(id);
      assertThat(page.locator("main .note")).containsText("the archive has lost it");
      clicks.editIsDone();
      clicks.plan("Redrive…");
      clicks.type("it is edited");
      clicks.press("Redrive 1 message");
      clicks.heading("Redrive");
      clicks.redriveHasBegun();
      assertThat(server.awaitArrivals("orders", 4))
          .containsExactly("1, written by hand", "2", "3", "4");
      assertThat(server.column("SELECT message_id FROM walk_arrival")).doesNotContain(id);
      clicks.goTo("Audit", "Audit");
      assertThat(
              page.locator(
                  "tbody tr", new Page.LocatorOptions().setHasText("the archive has lost it")))
          .hasCount(1);
      clicks.end();
    }
  }

  @Test
  void aViewerSeesTheCauseAndNoButton() {
    server.breakIt("invoice/1");
    server.enqueue("invoices", 1, 1, "table", "invoice");
    awaitDead(1);
    for (String user : List.of("viewer", "operator")) {
      try (Window window = walks.open(user)) {
        Clicks clicks = new Clicks(window, "dead letter, seen by the " + user);
        clicks.toOverview();
        clicks.lookAt("1 dead letter waits for a decision", "Failures");
        clicks.follow(clicks.page().locator("a.cause"), "IllegalStateException");
        clicks.causeIsSeen();
        assertThat(
                clicks
                    .page()
                    .locator("main button", new Page.LocatorOptions().setHasText("Redrive…")))
            .hasCount(user.equals("viewer") ? 0 : 1);
        clicks.end();
      }
    }
  }
}
