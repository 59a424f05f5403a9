package io.postbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ReducedMotion;
import io.postbox.browser.Chromium.Look;
import io.postbox.browser.Chromium.Window;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The sample's page in a real server that somebody has started: {@code
 * -Dsample.url=http://localhost:9080/}. A visitor places an order, causes each trouble, reads what
 * Postbox did, follows the link into the console, and gets out of the trouble again.
 */
@EnabledIfSystemProperty(
    named = "sample.url",
    matches = "https?://.+/",
    disabledReason = "It needs a server with the sample: -Dsample.url=http://localhost:9080/")
@Tag("browser")
@TestMethodOrder(OrderAnnotation.class)
class SamplePageTest {
  private static final Path FOLDER = Path.of("target", "screenshots");
  private static final String HOSTILE = "<img src=x onerror=window.hacked=1>";

  /** A handler that always fails is parked within some 15 seconds; a busy machine takes longer. */
  private static final double LONG_MILLIS = 60_000;

  /** For all else, should the machine have more to do than this. */
  private static final double BUSY_MILLIS = 30_000;

  private static final double USUAL_MILLIS = 5_000;

  private static Chromium chromium;
  private static URI sample;

  @BeforeAll
  static void start() {
    sample = URI.create(System.getProperty("sample.url"));
    chromium = new Chromium();
    PlaywrightAssertions.setDefaultAssertionTimeout(BUSY_MILLIS);
  }

  @AfterAll
  static void stop() {
    chromium.close();
    PlaywrightAssertions.setDefaultAssertionTimeout(USUAL_MILLIS);
  }

  private static Window open(Look look) {
    Window window =
        chromium.open(
            sample,
            look,
            new Browser.NewContextOptions()
                .setReducedMotion(ReducedMotion.REDUCE)
                .setHttpCredentials("demonstration", "demonstration"));
    window.page().navigate(sample.toString());
    assertThat(window.page().locator("#connection")).hasText("live");
    return window;
  }

  @Test
  @Order(1)
  void anOrderPassesItsStationsAndEachSaysWhatItIsFor() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      button(page, "Place order").click();
      assertThat(page.locator("#order-done")).containsText("was placed");
      assertThat(page.locator("#journey li.DONE")).hasCount(6);
      assertThat(page.locator("#journey-summary")).containsText("There and back");
      for (Locator station : page.locator("#journey li").all()) {
        assertThat(station.locator(".why")).not().isEmpty();
        assertThat(station.locator("time"))
            .hasText(Pattern.compile("\\d\\d:\\d\\d:\\d\\d\\.\\d{3}.*"));
      }
      page.locator("#journey-link a").click();
      assertThat(page.locator(".timeline")).containsText("handled");
      window.assertClean();
    }
  }

  @Test
  @Order(2)
  void mistakesInAnOrderAreShownAtTheirFields() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      page.getByLabel("Quantity").fill("0");
      button(page, "Place order").click();
      assertThat(page.locator("#quantity-error")).containsText("must be a whole number");
      assertThat(page.getByLabel("Quantity")).isFocused();
      page.getByLabel("Quantity").fill("1");
      page.getByLabel("Article").fill(HOSTILE);
      button(page, "Place order").click();
      assertThat(page.locator("#sku-error")).containsText("must be a text");
      window.assertClean();
    }
  }

  @Test
  @Order(3)
  void aRepeatedRequestGetsTheFirstAnswer() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      Locator outcome = cause(page, "request", "Repeat the request");
      assertThat(outcome).containsText("byte by byte the same");
      assertThat(outcome).containsText("has 1 shipment");
      page.reload(); // the page remembers what it did
      assertThat(outcome).containsText("Both requests were answered with 201");
      window.assertClean();
    }
  }

  @Test
  @Order(4)
  void aDuplicateIsSkipped() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Locator outcome = cause(window.page(), "again", "Send it again");
      assertThat(outcome).containsText("sent twice and handled once");
      assertThat(outcome).containsText("skipped 1 copy");
      assertThat(outcome).containsText("has 1 shipment");
      window.assertClean();
    }
  }

  @Test
  @Order(5)
  void anAlteredCopyIsQuarantinedAndItsLinkLeadsToIt() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      Locator outcome = cause(page, "altered", "Send an altered copy");
      assertThat(outcome).containsText("put it in quarantine");
      outcome.getByRole(AriaRole.LINK).click();
      assertThat(page.locator("main h1")).hasText("Quarantined message");
      assertThat(page.locator("main")).containsText("OTHER_CONTENT");
      carryOut(page, "Discard…");

      page.navigate(sample.toString());

      assertThat(outcome).containsText("A person released or discarded it");
      window.assertClean();
    }
  }

  @Test
  @Order(6)
  void aHandlerThatFailsOnceIsCalledAgain() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Locator outcome = cause(window.page(), "once", "Fail once");
      assertThat(outcome).containsText("Attempt 1 failed");
      assertThat(outcome).containsText("its handler did its work: 1 shipment");
      window.assertClean();
    }
  }

  @Test
  @Order(7)
  void aHandlerThatAlwaysFailsIsParkedMendedAndRedriven() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      Locator outcome = cause(page, "always", "Fail always");
      assertThat(outcome)
          .containsText(
              "parked the message",
              new LocatorAssertions.ContainsTextOptions().setTimeout(LONG_MILLIS));
      assertThat(outcome).containsText("After 10 attempts");
      assertThat(page.locator("#journey li.STOPPED h4")).hasText("Inbox");
      button(page, "Mend the handler").click();
      assertThat(outcome).containsText("The handler is mended");
      outcome.getByRole(AriaRole.LINK).click();
      assertThat(page.locator("main")).containsText("The label printer is out of order");
      carryOut(page, "Redrive…");

      page.navigate(sample.toString());

      assertThat(outcome).containsText("A person redrove the message");
      assertThat(outcome).containsText("has 1 shipment");
      window.assertClean();
    }
  }

  @Test
  @Order(8)
  void aMessageToAMissingDestinationWaitsAndIsRedirected() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      Locator outcome = cause(page, "missing", "Send it nowhere");
      assertThat(outcome).containsText("opened the circuit of depot");
      outcome.getByRole(AriaRole.LINK).click();
      button(page, "Redirect…").click();
      page.locator("dialog[open]").getByLabel("Send to").fill("shipping");
      page.getByLabel("Reason").fill("there is no depot");
      page.keyboard().press("Enter");
      assertThat(button(page, "End the redirect…")).isVisible();

      page.navigate(sample.toString());

      assertThat(outcome)
          .containsText(
              "redirected to shipping",
              new LocatorAssertions.ContainsTextOptions().setTimeout(LONG_MILLIS));
      outcome.getByRole(AriaRole.LINK).click();
      button(page, "End the redirect…").click();
      page.getByLabel("Reason").fill("there is a depot again");
      page.keyboard().press("Enter");
      assertThat(button(page, "Redirect…")).isVisible();
      window.assertClean();
    }
  }

  @Test
  @Order(9)
  void aPausedRelayHoldsOrdersBackUntilItIsResumed() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      Locator outcome = cause(page, "pause", "Pause the relay");
      assertThat(outcome).containsText("1 message waits in the outbox");
      assertThat(page.locator("#journey li.WAITS h4")).hasText("Outbox");
      button(page, "Resume the relay").click();
      assertThat(outcome).containsText("the relay sent what was waiting");
      assertThat(page.locator("#journey li.DONE")).hasCount(6);
      window.assertClean();
    }
  }

  @Test
  @Order(10)
  void aThousandOrdersAreShipped() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Locator outcome = cause(window.page(), "rush", "Place 1,000 orders");
      assertThat(outcome)
          .containsText(
              "All 1,000 orders are shipped, by 1,000 shipments",
              new LocatorAssertions.ContainsTextOptions().setTimeout(2 * LONG_MILLIS));
      window.assertClean();
    }
  }

  @Test
  @Order(11)
  void theKeyboardAloneReachesATroubleAndKeepsItsPlace() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      Locator once = button(page, "Fail once");
      for (int i = 0;
          i < 40 && !Boolean.TRUE.equals(once.evaluate("it => it === document.activeElement"));
          i++) {
        page.keyboard().press("Tab");
      }
      assertThat(once).isFocused();
      page.keyboard().press("Enter");
      assertThat(page.locator("[data-trouble=once] .outcome")).containsText("did its work");
      assertThat(once).isFocused();
      window.assertClean();
    }
  }

  /** The page shows any answer of the server as text, even one that it never gives. */
  @Test
  @Order(12)
  void hostileStringsAreShownAsText() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      page.route(
          Pattern.compile(".*/api/orders.*"),
          route -> {
            if (route.request().method().equals("GET")) {
              String body = route.fetch().text().replace("BOOK-1", HOSTILE.replace("\"", "'"));
              route.fulfill(
                  new Route.FulfillOptions().setContentType("application/json").setBody(body));
            } else {
              route.resume();
            }
          });
      button(page, "Place order").click();
      assertThat(page.locator("#journey-order")).containsText(HOSTILE);
      assertThat(page.locator("#orders")).containsText(HOSTILE);
      assertThat(page.evaluate("window.hacked")).isNull();
      window.assertClean();
    }
  }

  @Test
  @Order(13)
  void aHiddenPageAsksNothing() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      page.clock().install();
      page.reload();
      assertThat(page.locator("#connection")).hasText("live");
      hide(page, true);
      passTenSeconds(page); // requests under way end
      List<String> asked = new ArrayList<>();
      page.onRequest((Request request) -> asked.add(request.url()));
      passTenSeconds(page);
      assertThat(asked).allMatch(address -> address.endsWith("/api/node"));
      page.waitForResponse("**/api/totals", () -> hide(page, false));
    }
  }

  /** Of the page's clock; after each second an answer of the server's, as its own would come. */
  private static void passTenSeconds(Page page) {
    for (int i = 0; i < 10; i++) {
      page.clock().runFor(1_000);
      page.evaluate("fetch('/api/node').then(answer => answer.json())");
    }
  }

  private static void hide(Page page, boolean hidden) {
    page.evaluate(
        """
        hidden => {
          Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'));
        }
        """,
        hidden);
  }

  @ParameterizedTest
  @EnumSource(Look.class)
  @Order(14)
  void thePageIsAccessibleAndHasItsPicture(Look look) {
    try (Window window = open(look)) {
      Page page = window.page();
      cause(page, "again", "Send it again");
      assertThat(cause(page, "altered", "Send an altered copy")).containsText("quarantine");
      assertThat(cause(page, "pause", "Pause the relay")).containsText("Paused since");
      assertThat(page.locator("[data-trouble=again] .outcome")).containsText("twice");
      assertThat(page.locator("#journey li.WAITS")).hasCount(1);
      assertAccessible(page);
      picture(page, "sample-paused", look);
      button(page, "Resume the relay").click();
      assertThat(page.locator("[data-trouble=pause] .outcome"))
          .containsText("sent what was waiting");
      assertThat(page.locator("#journey li.DONE")).hasCount(6);
      assertAccessible(page);
      assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
          .as("no scrolling sideways")
          .isEqualTo(true);
      picture(page, "sample", look);
      if (look == Look.DESKTOP_LIGHT) {
        pictureForTheTutorial(page);
      }
      page.locator("[data-trouble=altered] .outcome a").click();
      carryOut(page, "Discard…");
      window.assertClean();
    }
  }

  private static void assertAccessible(Page page) {
    assertThat(new AxeBuilder(page).analyze().getViolations())
        .as("violations that axe sees")
        .extracting(rule -> rule.getId() + ": " + rule.getNodes().get(0).getHtml())
        .isEmpty();
  }

  private static void picture(Page page, String name, Look look) {
    page.evaluate("scrollTo(0, 0)");
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(FOLDER.resolve(name + "-" + look.fileName() + ".png"))
            .setFullPage(true));
  }

  /** An order that has passed all stations, and the first row of troubles. */
  private static void pictureForTheTutorial(Page page) {
    assertThat(cause(page, "request", "Repeat the request")).containsText("the same");
    assertThat(cause(page, "once", "Fail once")).containsText("did its work");
    button(page, "Place order").click();
    assertThat(page.locator("#order-done")).containsText("was placed");
    assertThat(page.locator("#journey li.DONE")).hasCount(6);
    BoundingBox last = page.locator("[data-trouble=once]").boundingBox();
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(FOLDER.resolve("sample-tutorial.png"))
            .setFullPage(true)
            .setClip(0, 0, 1280, last.y + last.height + 20));
  }

  /** Presses a button and answers where the page says what Postbox did. */
  private static Locator cause(Page page, String trouble, String button) {
    button(page, button).click();
    return page.locator("[data-trouble=" + trouble + "] .outcome");
  }

  /** In the console: opens a plan, gives a reason, and waits until it is done. */
  private static void carryOut(Page page, String button) {
    button(page, button).click();
    assertThat(page.locator("dialog .effect")).isVisible();
    page.getByLabel("Reason").fill("the trouble is over");
    page.keyboard().press("Enter");
    assertThat(page.locator("main .badge").first()).hasText("Done");
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }
}
