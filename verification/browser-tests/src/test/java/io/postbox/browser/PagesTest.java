package io.postbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.postbox.browser.Chromium.Look;
import io.postbox.browser.Chromium.Window;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The console's pages in a real browser, over canned answers, under the real policy. */
@Tag("browser")
class PagesTest {
  /** An action is looked at every two seconds, and has made all its progress at the fifth look. */
  private static final LocatorAssertions.ContainsTextOptions FIVE_LOOKS =
      new LocatorAssertions.ContainsTextOptions().setTimeout(30_000);

  private static Chromium chromium;

  private ConsoleStub stub = new ConsoleStub(false);

  @BeforeAll
  static void start() {
    chromium = new Chromium();
  }

  @AfterAll
  static void stop() {
    chromium.close();
  }

  @AfterEach
  void close() {
    stub.close();
  }

  private Window open(Look look) {
    return chromium.open(stub.base(), look);
  }

  private void hostile() {
    stub.close();
    stub = new ConsoleStub(true);
  }

  @ParameterizedTest
  @MethodSource("io.postbox.browser.Drawn#looks")
  void hostileStringsAreTextOnEveryPage(Look look) {
    hostile();
    try (Window window = open(look)) {
      window.to("#/nodes");
      Routes.all().forEach((name, route) -> assertTextOnly(window.then(route), name));
      window.assertClean();
    }
  }

  private static void assertTextOnly(Page page, String name) {
    assertThat(page.evaluate("window.hacked")).as(name).isNull();
    assertThat(
            page.locator(
                    "#shell :is(script, iframe, object, [onerror]), #shell img:not(.brand img)")
                .count())
        .as("markup made of strings on " + name)
        .isZero();
    assertThat(
            page.evaluate(
                "[...document.links].map(it => it.href).filter(it => !/^https?:/.test(it))"))
        .as("links of another kind on " + name)
        .isEqualTo(List.of());
    assertThat(
            page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
        .as("pixels that stick out on " + name)
        .isEqualTo(0);
  }

  @Test
  void hostileStringsAreTextInTheDialogAndThePayload() {
    hostile();
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to(Routes.all().get("cause-outbox"));
      button(page, "Redrive…").click();
      assertThat(page.locator("dialog .effect")).containsText("<img src=x onerror=");
      page.keyboard().press("Escape");
      window.then(Routes.all().get("parked-one"));
      button(page, "Show it masked").click();
      assertThat(page.locator("pre.payload")).not().isEmpty();
      assertThat(page.evaluate("window.hacked")).isNull();
      window.assertClean();
    }
  }

  @ParameterizedTest
  @MethodSource("io.postbox.browser.Drawn#looks")
  void everyPageIsAccessible(Look look) {
    try (Window window = open(look)) {
      window.to("#/nodes");
      Routes.of(look).forEach((name, route) -> assertAccessible(window.then(route), name));
      Page page = window.then(Routes.all().get("cause-inbox"));
      button(page, "Redrive…").click();
      assertThat(page.locator("dialog .numbers")).isVisible();
      assertAccessible(page, "plan");
      page.keyboard().press("Escape");
      window.assertClean();
    }
  }

  @Test
  void emptyPagesAreAccessibleAndTeach() {
    stub.empty();
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      window.to("#/nowhere");
      for (String name :
          List.of(
              "overview",
              "destinations",
              "consumers",
              "failures",
              "dead-letters",
              "archive",
              "parked",
              "quarantined",
              "find",
              "actions",
              "audit",
              "findings",
              "policies",
              "configuration",
              "nodes")) {
        Page page = window.then(Routes.all().get(name));
        assertThat(page.locator("main .empty").first()).isVisible();
        assertAccessible(page, "empty " + name);
      }
      Page page = window.then("#/destinations");
      assertThat(button(page, "Pause all…")).isVisible(); // before there is anything to send
      window.assertClean();
    }
  }

  private static void assertAccessible(Page page, String name) {
    assertThat(new AxeBuilder(page).analyze().getViolations())
        .as("violations that axe sees on " + name)
        .extracting(rule -> rule.getId() + ": " + rule.getNodes().get(0).getHtml())
        .isEmpty();
  }

  @Test
  void aFailureIsFoundPlannedAndRedrivenByKeyboardAlone() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/");
      page.keyboard().press("Tab");
      assertThat(page.locator("#skip")).isFocused();
      page.keyboard().press("Enter");
      assertThat(page.locator("main")).isFocused();

      tabTo(page, page.locator(".concern a").first()); // the worst
      page.keyboard().press("Enter");
      assertThat(page.locator("main h1")).hasText("Failures");
      assertThat(page.locator("main h1")).isFocused();

      tabTo(page, page.locator(".cause").first());
      page.keyboard().press("Enter");
      assertThat(page.locator("main h1")).hasText("MessageFormatException");
      assertThat(page.locator("main h1")).isFocused();

      tabTo(page, button(page, "Redrive…"));
      page.keyboard().press("Enter");
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      assertThat(dialog).containsText("39 messages wait behind them");
      assertThat(dialog.getByLabel("Reason")).isFocused();
      page.keyboard().press("Enter"); // no reason yet
      assertThat(dialog.getByRole(AriaRole.ALERT)).containsText("Give a reason");
      page.keyboard().type("fixed in release 4.2");
      page.keyboard().press("Shift+Tab");
      assertThat(dialog.getByLabel("Try first")).isFocused();
      page.keyboard().type("10");
      assertThat(button(page, "Redrive 20 messages, 10 first")).isVisible();
      page.keyboard().press("Enter");

      assertThat(page.locator("main h1")).hasText("Redrive dead letters");
      assertThat(page.locator("main h1")).isFocused();
      assertThat(page.locator("#announcer"))
          .containsText("Done, 100 percent of 20 messages", FIVE_LOOKS);
      assertThat(page.locator(".action-progress")).containsText("20 of 20");
      assertThat(stub.requests()).anyMatch(it -> it.matches("POST /postbox/api/plans/.*/run"));
      window.assertClean();
    }
  }

  /** Presses the tabulator until an element has the focus, and sees that one can see it. */
  private static void tabTo(Page page, Locator element) {
    for (int i = 0; i < 60; i++) {
      page.keyboard().press("Tab");
      if (Boolean.TRUE.equals(element.evaluate("it => it === document.activeElement"))) {
        assertThat(element.evaluate("it => getComputedStyle(it).outlineStyle"))
            .as("the outline of what has the focus")
            .isEqualTo("solid");
        return;
      }
    }
    throw new AssertionError("The keyboard does not reach " + element);
  }

  @Test
  void aDeadLetterIsEditedAfterAPreviewThatShowsNoContent() {
    stub.roles("viewer", "editor", "payload");
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to(Routes.all().get("dead-letter"));
      button(page, "Edit…").click();
      Locator payload = page.locator("dialog textarea[name=text]");
      assertThat(payload).not().isEmpty();
      assertAccessible(page, "edit");
      payload.fill("  mended\n");
      page.locator("dialog textarea[name=properties]").fill("{");
      button(page, "Preview").click();
      assertThat(page.locator("dialog .problem")).containsText("The properties are no JSON");
      assertThat(payload).hasValue("  mended\n");
      page.locator("dialog textarea[name=properties]").fill("{\"priority\":\"integer:5\"}");
      button(page, "Preview").click();

      assertThat(page.locator("dialog table")).containsText("Fingerprint");
      assertThat(page.locator("dialog")).containsText("the sender chose it");
      assertThat(page.locator("dialog")).not().containsText("mended");
      assertAccessible(page, "preview of an edit");
      page.locator("dialog input[name=reason]").fill("typo");
      button(page, "Edit it").click();
      assertThat(page.locator("main .id")).hasText(ConsoleStub.CHANGED);
      assertThat(stub.requests())
          .contains("POST /postbox/api/outbox/edits", "POST /postbox/api/outbox/edits/e-1/run");
      window.assertClean();
    }
  }

  @Test
  void aMessageThatWaitsIsCancelledFromItsLife() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to(Routes.all().get("life-held"));
      assertThat(button(page, "Resend…")).hasCount(0);
      button(page, "Cancel it…").click();
      assertThat(page.locator("dialog .effect")).containsText("is never sent");
      page.locator("dialog input[name=reason]").fill("never mind");
      button(page, "Cancel the message").click();
      assertThat(page.locator("dialog")).isHidden();
      assertThat(stub.requests()).contains("POST /postbox/api/plans/s-1/run");
      window.assertClean();
    }
  }

  @Test
  void theDialogReturnsTheFocusAndChangesNothingWhenItIsLeft() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/dead-letters");
      button(page, "Discard…").focus();
      page.keyboard().press("Enter");
      assertThat(page.locator("dialog .numbers")).isVisible();
      page.keyboard().press("Escape");
      assertThat(button(page, "Discard…")).isFocused();
      assertThat(stub.requests()).noneMatch(it -> it.contains("/run"));
      window.assertClean();
    }
  }

  @Test
  void aHiddenTabAsksNothingAndASeenOneAtOnce() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      page.clock().install();
      window.to("#/destinations");
      page.waitForResponse("**/api/destinations?*", () -> page.clock().runFor(5_000));
      hide(page, true);
      // An answer to this one is later than any that was under way.
      page.evaluate("fetch('css/postbox.svg').then(answer => answer.text())");
      int before = stub.requests().size();
      page.clock().runFor(600_000);
      page.evaluate("fetch('css/postbox.svg').then(answer => answer.text())");
      assertThat(stub.requests()).hasSize(before);
      page.waitForResponse("**/api/destinations?*", () -> hide(page, false));
      page.waitForResponse("**/api/overview?since=*", () -> page.clock().runFor(20_000));
      window.assertClean();
    }
  }

  private static void hide(Page page, boolean hidden) {
    page.evaluate(
        """
        hidden => {
          Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
          document.dispatchEvent(new Event('visibilitychange'));
        }
        """,
        hidden);
  }

  @Test
  void theChartsBeginAnHourBeforeThePageIsOpened() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/");
      Locator backlog = page.locator(".chart .plot").first();
      assertThat(backlog).hasAttribute("aria-label", Pattern.compile(".* and 5,900"));
      Locator rates = page.locator(".chart .plot").nth(2);
      assertThat(rates) // of each node, and none between two
          .hasAttribute("aria-label", Pattern.compile("Rates: sent 30/s, between 30/s and 30/s.*"));
      assertThat(page.locator("section", new Page.LocatorOptions().setHasText("Trends")))
          .containsText(
              "Since "
                  + page.evaluate(
                      """
                      new Date(Date.now() - 59 * 60_000).toLocaleTimeString('en-GB').slice(0, 4)
                      """));
      window.assertClean();
    }
  }

  @Test
  void theMinutesInWhichATabWasHiddenAreThere() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/");
      assertThat(page.locator(".charts")).isVisible();
      page.evaluate(
          """
          async () => {
            const { history } = await import('./js/store.js');
            const answer = (minute, past = []) => ({
              now: new Date(Date.now() + minute * 60_000).toISOString(),
              outbox: { pending: minute },
              history: past.map(each => answer(each)),
            });
            const real = Date.now;
            history.rows = [];
            history.add(answer(0));
            Date.now = () => real() + 5 * 60_000;
            history.add(answer(0, [-4, -3, -2, -1]));
            Date.now = real;
            window.rows = history.rows.map(row => row.pending ?? null);
          }
          """);
      assertThat(page.evaluate("window.rows")).isEqualTo(List.of(0, -4, -3, -2, -1, 0));
    }
  }

  @Test
  void aServerThatFailsIsAskedMoreSeldom() {
    stub.answer(
        "destinations",
        ConsoleStub.Answer.problem(
            503, "The database does not answer", "Nothing is lost.", "Look at it."));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      page.clock().install();
      window.to("#/destinations");
      assertThat(page.locator(".problem")).containsText("The database does not answer");
      assertThat(page.locator(".problem")).containsText("Way out: Look at it.");
      long first = asked("destinations?size=100");
      page.waitForResponse(
          "**/api/destinations?*", () -> page.clock().runFor(10_000)); // 5 s, doubled
      page.evaluate("fetch('css/postbox.svg').then(answer => answer.text())");
      page.clock().runFor(15_000); // the next one is after 20 s
      page.evaluate("fetch('css/postbox.svg').then(answer => answer.text())");
      assertThat(asked("destinations?size=100")).isEqualTo(first + 1);
      window.assertClean();
    }
  }

  private long asked(String path) {
    return stub.requests().stream().filter(it -> it.endsWith("/api/" + path)).count();
  }

  @Test
  void aListIsSharedWithItsFilterAndItsPage() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/dead-letters");
      page.locator(".filters summary").click();
      page.getByLabel("Destination", new Page.GetByLabelOptions().setExact(true)).fill("shipping");
      button(page, "Apply").click();
      assertThat(page).hasURL(Pattern.compile(".*#/dead-letters\\?destination=shipping$"));
      page.getByText("Next page").click();
      assertThat(page.locator("tbody tr .id").first())
          .hasAttribute("href", "#/dead-letters/" + Routes.id("dead-letters", 10));
      String shared = page.url();
      assertThat(shared).contains("destination=shipping").contains("after=10");
      window.to(shared.substring(stub.base().toString().length()));
      assertThat(page.locator("tbody tr")).hasCount(10);
      assertThat(page.getByLabel("Destination", new Page.GetByLabelOptions().setExact(true)))
          .hasValue("shipping");
      assertThat(page.locator("tbody tr .id").first())
          .hasAttribute("href", "#/dead-letters/" + Routes.id("dead-letters", 10));
      window.assertClean();
    }
  }

  @Test
  void aMessageIsFoundByItsOrderNumber() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/");
      page.getByRole(AriaRole.SEARCHBOX).fill("Order/10042");
      page.keyboard().press("Enter");
      assertThat(page.locator("main h1")).hasText("Find messages");
      assertThat(page.locator("tbody tr").first()).containsText("DEAD");
      assertThat(stub.requests())
          .anyMatch(it -> it.endsWith("messages?aggregateType=Order&aggregateId=10042"));
      page.locator("tbody tr .id").last().click(); // of the first ones, there is more than a life
      assertThat(page.locator(".timeline li")).hasCount(7);
      window.assertClean();
    }
  }

  /** The console reads them, as its NamesTest compares with the same table. */
  @Test
  void namesAreWrittenAsTheConsoleReadsThem() throws IOException {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/nodes");
      for (JsonObject each : ConsoleStub.namesInPaths()) {
        assertThat(
                page.evaluate(
                    """
                    async name => {
                      const { address } = await import('./js/api.js');
                      return address(['destinations', name, 'pause']).href;
                    }
                    """,
                    each.getString("name")))
            .isEqualTo(stub.base() + "api/destinations/" + each.getString("segment") + "/pause");
      }
      window.assertClean();
    }
  }

  /** A person who may not change it sees no button; operators may pause an erasure, no more. */
  @Test
  void anErasureIsChangedByErasers() {
    JsonObject erasure =
        Json.createObjectBuilder(new Canned(false).items("actions").getJsonObject(0))
            .add("id", "a-18")
            .add("kind", "erase")
            .build();
    stub.answer("erasures/a-18", ConsoleStub.Answer.json(JsonValue.EMPTY_JSON_OBJECT));
    assertButtons(erasure, "RUNNING", "operator", "Pause…");
    assertButtons(erasure, "PAUSED", "operator");
    assertButtons(erasure, "RUNNING", "eraser", "Pause…", "Cancel…");
    assertButtons(erasure, "PAUSED", "eraser", "Resume…", "Cancel…");
    assertButtons(erasure, "FAILED", "eraser", "Resume…");
    JsonObject redrive =
        Json.createObjectBuilder(erasure).add("kind", "redrive-dead-letters").build();
    assertButtons(redrive, "RUNNING", "operator", "Pause…", "Cancel…");
    assertButtons(redrive, "RUNNING", "eraser");
  }

  private void assertButtons(JsonObject action, String state, String role, String... buttons) {
    stub.roles("viewer", role);
    stub.answer(
        "actions/a-18",
        ConsoleStub.Answer.json(Json.createObjectBuilder(action).add("state", state).build()));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/actions/a-18");
      assertThat(page.locator(".action-progress")).isVisible();
      assertThat(page.locator("main button").allTextContents())
          .as("%s sees of one that is %s", role, state)
          .containsExactly(buttons);
      window.assertClean();
    }
  }

  @Test
  void aViewerSeesNoButtonsAndNoPayload() {
    stub.roles("viewer");
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      window.to("#/");
      for (String name :
          List.of(
              "destinations",
              "destination",
              "dead-letters",
              "dead-letter",
              "parked-one",
              "quarantined-one",
              "cause-outbox",
              "action")) {
        Page page = window.then(Routes.all().get(name));
        assertThat(page.locator("main button:has-text('…')")).hasCount(0);
        assertThat(page.locator("main a[href*='/payload']")).hasCount(0);
      }
      assertThat(stub.requests()).noneMatch(it -> it.contains("payload"));
      window.assertClean();
    }
  }

  @Test
  void aPayloadIsAskedForMaskedAndForgottenWithItsPage() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to(Routes.all().get("parked-one"));
      assertThat(stub.requests()).noneMatch(it -> it.contains("payload"));
      button(page, "Show it masked").click();
      assertThat(page.locator("pre.payload")).containsText("xxxxxXx");
      assertThat(stub.requests()).anyMatch(it -> it.endsWith("payload?show=masked"));
      assertThat(page.url()).doesNotContain("xxxxxXx");
      page.locator("#pages").getByText("Parked").click();
      assertThat(page.locator("main h1")).hasText("Parked messages");
      page.goBack();
      assertThat(page.locator("main h1")).hasText("Parked message");
      assertThat(page.locator("pre.payload")).hasCount(0);
      window.assertClean();
    }
  }

  @Test
  void aRefusedActionSaysWhyAndTheWayOut() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      stub.answer(
          "destinations/newsletter/resume",
          ConsoleStub.Answer.problem(
              409, "The plan was refused", "Nothing was changed.", "Make another one."));
      Page page = window.to("#/destinations");
      button(page, "Resume newsletter…").click();
      page.getByLabel("Reason").fill("they are back");
      page.keyboard().press("Enter");
      assertThat(page.locator("dialog .problem")).containsText("The plan was refused");
      assertThat(page.locator("dialog .problem")).containsText("Make another one.");
      window.assertClean();
    }
  }

  @Test
  void aLogoutIsShown() {
    stub.answer("audit", new ConsoleStub.Answer(200, "text/html", "<form>log in</form>"));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/audit");
      assertThat(page.locator(".problem")).containsText("You are no longer logged in");
      assertThat(button(page, "Reload")).isVisible();
      window.assertClean();
    }
  }

  @Test
  void timesAreRelativeAndAbsoluteOnDemandInANamedZone() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/audit");
      Locator time = page.locator("tbody time").first();
      assertThat(time).hasText("20 min ago");
      assertThat(time)
          .hasAttribute("title", Pattern.compile("\\d{4}-\\d\\d-\\d\\d .* UTC\\+0[12]:00"));
      assertThat(page.locator("footer")).containsText("Europe/Berlin");
      button(page, "Show dates").click();
      assertThat(time).hasText(Pattern.compile("\\d{4}-\\d\\d-\\d\\d .*"));
      window.assertClean();
    }
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }
}
