package io.postbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import io.postbox.browser.Chromium.Look;
import io.postbox.browser.Chromium.Window;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the pages tell a person on call, who has not seen them before; over canned answers. */
@Tag("browser")
class OnCallPagesTest {
  private static Chromium chromium;

  private final Canned canned = new Canned(false);
  private final ConsoleStub stub = new ConsoleStub(false);

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

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  /** An answer of the API with other values of some fields. */
  private static JsonObject with(JsonObject answer, String name, Object value) {
    JsonObjectBuilder changed = Json.createObjectBuilder(answer);
    if (value instanceof JsonValue json) {
      changed.add(name, json);
    } else if (value instanceof Integer number) {
      changed.add(name, number);
    } else {
      changed.add(name, value.toString());
    }
    return changed.build();
  }

  private void answer(String path, JsonObject answer) {
    stub.answer(path, ConsoleStub.Answer.json(answer));
  }

  private static JsonObject items(JsonValue... items) {
    return Json.createObjectBuilder().add("items", Json.createArrayBuilder(List.of(items))).build();
  }

  @Test
  void aSearchLeadsToWhatIsKept() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to(Routes.all().get("messages"));
      List<String> rows =
          page.locator("tbody .id").all().stream().map(it -> it.getAttribute("href")).toList();
      assertThat(rows)
          .containsExactly(
              "#/dead-letters/" + Routes.id("dead-letters", 1),
              "#/parked/501",
              "#/messages/" + Routes.HELD,
              "#/messages/892c91e0-a653-7a19-8f81-a90f89d99bcd",
              "#/messages/b6a1085a-27ab-7bff-8550-f8a3bd017df8");
      page.locator("tbody .id").nth(1).click();
      assertThat(page.locator("main h1")).hasText("Parked message");
      assertThat(button(page, "Redrive…")).isVisible();
      window.assertClean();
    }
  }

  @Test
  void theLifeOfAParkedMessageHasItsActions() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to(Routes.all().get("life-parked"));
      assertThat(page.locator("main .note").first()).containsText("waits until somebody redrives");
      assertThat(page.locator("main section").first()).containsText("Parked, of shipping");
      assertThat(page.getByText("Open it")).hasAttribute("href", "#/parked/501");
      assertThat(page.locator(".timeline a[href='#/parked/501']"))
          .hasText("The parked message: parked");
      assertThat(page.locator(".timeline a[href^='#/failures']")).hasCount(1); // of two attempts
      button(page, "Redrive…").click();
      assertThat(page.locator("dialog h2")).hasText("Redrive a parked message");
      assertThat(page.locator("dialog .numbers")).isVisible();
      window.assertClean();
    }
  }

  @Test
  void aMessageThatIsHandedBackSaysWhatItWaitsFor() {
    JsonObject row = with(canned.items("messages").getJsonObject(1), "where", "retried");
    answer("messages", items(with(row, "status", "HANDED_BACK")));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to(Routes.all().get("life-parked"));
      Locator section = page.locator("main section").first();
      assertThat(section).containsText("Goes back to shipping");
      assertThat(section).containsText("HANDED_BACK: it has its turn");
      assertThat(page.getByText("Open it")).hasAttribute("href", "#/parked/501");
      window.assertClean();
    }
  }

  /** A captured one has a page with actions only while it waits for its retry. */
  @Test
  void aCapturedRetryCanBeOpened() {
    JsonObject row = with(canned.items("messages").getJsonObject(1), "where", "captured");
    for (String status : List.of("DELAYED", "HELD")) {
      answer("messages", items(with(row, "status", status)));
      try (Window window = open(Look.DESKTOP_LIGHT)) {
        Page page = window.to(Routes.all().get("life-parked"));
        assertThat(page.locator("main section").first()).containsText("Captured for shipping");
        assertThat(page.getByText("Open it")).hasCount(status.equals("DELAYED") ? 1 : 0);
        window.assertClean();
      }
    }
  }

  @Test
  void theLifeOfADeadLetterHasItsActions() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to(Routes.all().get("life"));
      assertThat(page.locator("main section").first()).containsText("Dead letter to shipping");
      assertThat(page.locator("main section").first()).containsText("which JMS does not carry");
      assertThat(button(page, "Discard…")).isVisible();
      button(page, "Redrive…").click();
      assertThat(page.locator("dialog h2")).hasText("Redrive a dead letter");
      window.assertClean();
    }
  }

  @Test
  void aFailureLooksLikeOneAndAParkedMessageLikeAnother() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to(Routes.all().get("life-parked"));
      assertThat(page.locator(".timeline .badge.harm")).hasCount(2);
      assertThat(page.locator(".timeline .badge.parked")).hasCount(1);
      assertThat(page.locator(".timeline .badge.inbox")).hasCount(0);
      window.assertClean();
    }
  }

  @Test
  void aSearchThatFindsNothingSaysWhatItHasNotSearched() {
    answer("messages", with(items(), "note", "Left out: handled."));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/messages?aggregateId=3");
      assertThat(page.locator("main")).containsText("one that was handled leaves its id alone");
      assertThat(page.locator("main .note")).hasText("Left out: handled.");
      assertThat(page.locator("main")).not().containsText("never enqueued or received");
      window.assertClean();
    }
  }

  @Test
  void anOrderIsFoundWhateverItsTypeIsWrittenLike() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      JsonObject all = canned.object("messages");
      window
          .page()
          .route(
              Pattern.compile(".*/api/messages\\?.*"),
              route ->
                  route.fulfill(
                      new Route.FulfillOptions()
                          .setContentType("application/json")
                          .setBody(
                              (route.request().url().contains("aggregateType") ? items() : all)
                                  .toString())));
      Page page = window.to("#/");
      page.getByRole(AriaRole.SEARCHBOX).fill("order 10042");
      page.keyboard().press("Enter");
      assertThat(page.locator("tbody tr")).hasCount(5);
      assertThat(page.locator("main .note").first()).containsText("of the type order");
      window.assertClean();
    }
  }

  @Test
  void anAnswerIsSeenOnAPhoneWithoutScrolling() {
    try (Window window = open(Look.PHONE_LIGHT)) {
      Page page = window.to(Routes.all().get("messages"));
      assertThat(page.locator("tbody tr").first().boundingBox().y).isLessThan(500);
      assertThat(page.locator(".filters")).containsText("Order, 10042");
      window.assertClean();
    }
  }

  @Test
  void aRedirectOffersKnownNamesAndIsChangedAtOnce() {
    answer("outbox/plans", with(canned.object("outbox-plan"), "messages", 0));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/destinations/shiping");
      button(page, "Change the redirect…").click();
      Locator target = page.locator("dialog input[name=target]");
      assertThat(target).hasValue("shipping");
      assertThat(page.locator("dialog datalist option")).hasCount(3); // all but itself
      assertThat(page.locator("dialog")).not().containsText("come after it are not part of it");
      target.fill("billing");
      page.locator("dialog input[name=reason]").fill("the other one");
      button(page, "Redirect what comes").click();
      assertThat(page.locator("dialog")).isHidden();
      assertThat(stub.requests()).contains("POST /postbox/api/destinations/shiping/redirect");
      window.assertClean();
    }
  }

  @Test
  void anAddressThatNothingIsKnownOfLooksLikeThat() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      window.to("#/nodes");
      for (String address : List.of("#/destinations/nosuch", "#/consumers/nosuch")) {
        Page page = window.then(address);
        assertThat(page.locator("main .empty")).containsText("of this name is known");
        assertThat(page.locator("main")).containsText("shipping"); // one of those that are
        assertThat(page.locator("main .badge.good")).hasCount(0);
        assertThat(page.locator("main button")).hasCount(0);
      }
      answer("inbox/failures", items());
      answer("inbox/parked", items());
      assertThat(window.then("#/failures/inbox/nosuch").locator("main .empty"))
          .containsText("No failure of this cause is on record");
      for (String address : List.of("#/destinations/billing/x", "#/nodes/x")) {
        assertThat(window.then(address).locator("main h1")).hasText("No such page");
      }
      window.assertClean();
    }
  }

  @Test
  void aNameOfALaterPageIsKnown() {
    JsonObject list = canned.object("destinations");
    JsonArray items = list.getJsonArray("items");
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      window
          .page()
          .route(
              Pattern.compile(".*/api/destinations\\?.*"),
              route ->
                  route.fulfill(
                      new Route.FulfillOptions()
                          .setContentType("application/json")
                          .setBody(
                              (route.request().url().contains("after=")
                                      ? items(items.get(0))
                                      : with(items(items.get(1)), "next", "two"))
                                  .toString())));
      assertThat(window.to("#/destinations/billing").locator("main")).containsText("Circuit open");
      assertThat(window.then("#/destinations").locator("tbody tr")).hasCount(2);
      window.assertClean();
    }
  }

  @Test
  void aConsumerWithoutAListenerIsNotTakenForDead() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/consumers/order-requests");
      assertThat(page.locator("main .empty")).containsText("Where code calls it by itself");
      window.assertClean();
    }
  }

  @Test
  void aQuarantinedMessageSaysWhereItCameFrom() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/quarantined");
      assertThat(page.locator("tbody tr").first()).containsText("Order/10042");
      assertThat(page.locator("tbody tr").first()).containsText("OrderPlaced");
      assertThat(page.locator("tbody tr").first()).containsText("shop, it says");
      page = window.then("#/quarantined/31");
      assertThat(page.locator("main")).containsText("as it says itself");
      window.assertClean();
    }
  }

  /** A node reports what it remembers requests under, with no listener. */
  @Test
  void aConsumerOfRequestsIsOnItsNodes() {
    JsonObject requests = canned.items("consumers").getJsonObject(2);
    JsonObject node =
        Json.createObjectBuilder().add("node", "4711@app-1").add("running", 0).build();
    answer(
        "consumers", items(with(requests, "running", Json.createArrayBuilder().add(node).build())));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/consumers/order-requests");
      assertThat(page.locator("main tbody")).containsText("4711@app-1");
      assertThat(page.locator("main .empty")).hasCount(0);
      window.assertClean();
    }
  }

  @Test
  void aDestinationThatWasNeverUsedIsKnown() {
    JsonObject used = canned.items("destinations").getJsonObject(0);
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      window
          .page()
          .route(
              Pattern.compile(".*/api/destinations\\?name=unused"),
              route ->
                  route.fulfill(
                      new Route.FulfillOptions()
                          .setContentType("application/json")
                          .setBody(items(with(used, "name", "unused")).toString())));
      Page page = window.to("#/destinations/unused");
      assertThat(page.locator("main h1")).hasText("unused");
      assertThat(button(page, "Pause unused…")).isVisible();
      assertThat(page.locator("main")).not().containsText("Unknown");
      window.assertClean();
    }
  }

  @Test
  void whatTheApplicationDoesByItselfSaysSo() {
    JsonObject paused =
        with(canned.items("destinations").getJsonObject(0), "paused", pause("unknown"));
    answer("destinations", items(paused));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/destinations");
      assertThat(page.locator("tbody")).containsText("by the application, with nobody logged in");
      window.assertClean();
    }
  }

  private static JsonObject pause(String principal) {
    return Json.createObjectBuilder()
        .add("reason", "x")
        .add("principal", principal)
        .add("since", Canned.time(-43))
        .build();
  }

  @Test
  void theKeyboardGoesOnWhereARedirectWasEnded() {
    JsonObject shiping = canned.items("destinations").getJsonObject(3);
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/destinations/shiping");
      button(page, "End the redirect…").focus();
      page.keyboard().press("Enter");
      page.locator("dialog input[name=reason]").fill("it is mended");
      answer("destinations", items(with(shiping, "redirect", JsonValue.NULL)));
      page.keyboard().press("Enter");
      Locator next = button(page, "Redirect…");
      assertThat(next).isVisible();
      if (!Boolean.TRUE.equals(next.evaluate("it => it === document.activeElement"))) {
        page.keyboard().press("Tab");
      }
      assertThat(next).isFocused();
      window.assertClean();
    }
  }

  /** The pace of 10 s, and not of an hour in which nobody carried it out. */
  @Test
  void theTimeToGoForgetsAStandstill() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.page();
      Instant start = Instant.now();
      answer("overview", with(canned.object("overview"), "now", start));
      page.clock().setFixedTime(start.toEpochMilli());
      answer("actions/a-19", runs(1_000));
      window.to("#/actions/a-19");
      Locator progress = page.locator(".action-progress");
      assertThat(progress).containsText("1,000 of 200,000");
      assertThat(progress).not().containsText("to go");

      page.clock().setFixedTime(start.plusSeconds(10).toEpochMilli());
      answer("actions/a-19", runs(2_000));
      assertThat(progress).containsText("About 33 min to go");

      page.clock().setFixedTime(start.plusSeconds(3_610).toEpochMilli());
      answer("actions/a-19", runs(2_500));
      assertThat(progress).containsText("2,500 of 200,000");
      assertThat(progress).not().containsText("to go");

      page.clock().setFixedTime(start.plusSeconds(3_620).toEpochMilli());
      answer("actions/a-19", runs(3_500));
      assertThat(progress).containsText("About 32 min 45 s to go");
      window.assertClean();
    }
  }

  private JsonObject runs(int done) {
    JsonObject action = with(canned.items("actions").getJsonObject(0), "state", "RUNNING");
    return with(with(action, "total", 200_000), "done", done);
  }

  @Test
  void theDialogDoesNotOutliveItsPage() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      window.to("#/consumers");
      Page page = window.then("#/destinations");
      button(page, "Pause all…").click();
      assertThat(page.locator("dialog")).isVisible();
      page.goBack();
      assertThat(page.locator("main h1")).hasText("Consumers");
      assertThat(page.locator("dialog")).isHidden();
      assertThat(stub.requests()).noneMatch(it -> it.startsWith("POST"));
      window.assertClean();
    }
  }

  @Test
  void anActionThatFoundNothingIsNoSuccess() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/actions/a-14");
      assertThat(page.locator("main .badge").first()).hasText("Done, nothing changed");
      assertThat(page.locator("main .badge.good")).hasCount(0);
      assertThat(page.locator("main .note")).containsText("1 message was not changed");
      page = window.then("#/actions");
      assertThat(page.locator("tbody .badge.good")).hasCount(1); // of two that are done
      window.assertClean();
    }
  }

  @Test
  void anEditedMessageSaysSo() {
    JsonObject letter = canned.items("dead-letters").getJsonObject(1);
    String id = letter.getString("id");
    answer(
        "outbox/dead-letters/" + id,
        with(letter, "edited", canned.items("parked").getJsonObject(1).get("edited")));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/parked/502");
      assertThat(page.locator("main .note")).containsText("by eva: the article was mistyped");
      assertThat(page.locator("main .note")).containsText("as it was received");
      assertThat(window.then("#/parked/501").locator("main .note")).hasCount(0);
      assertThat(window.then("#/dead-letters/" + id).locator("main .note")).containsText("by eva");
      window.assertClean();
    }
  }

  @Test
  void aDiscardOfVeryManyTakesTheirNumber() {
    answer("inbox/plans", with(canned.object("inbox-plan"), "messages", 200_000));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/parked");
      button(page, "Discard…").click();
      Locator count = page.locator("dialog input[name=count]");
      assertThat(count).isFocused();
      page.locator("dialog input[name=reason]").fill("all of it");
      button(page, "Discard 200,000 messages").click();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("200,000, the number of messages");
      count.fill("2000");
      button(page, "Discard 200,000 messages").click();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("not the number");
      assertThat(stub.requests()).noneMatch(it -> it.endsWith("/run"));
      count.fill("200,000");
      button(page, "Discard 200,000 messages").click();
      assertThat(page.locator("main h1")).not().hasText("Parked messages");
      assertThat(stub.requests()).anyMatch(it -> it.endsWith("/run"));
      window.assertClean();
    }
  }

  @Test
  void theRedriveOfOneMessageAsksForAReasonAlone() {
    answer("inbox/plans", with(canned.object("inbox-plan"), "messages", 1));
    JsonObject one = canned.items("parked").getJsonObject(0);
    answer("inbox/parked/501", with(one, "replyTo", ""));
    try (Window window = open(Look.PHONE_LIGHT)) {
      Page page = window.to("#/parked/501");
      button(page, "Redrive…").click();
      assertThat(page.locator("dialog h2")).hasText("Redrive a parked message");
      assertThat(page.locator("dialog form input")).hasCount(1);
      page.locator("dialog input[name=reason]").fill("mended");
      var sent =
          page.waitForRequest(
              "**/api/plans/*/run", () -> button(page, "Redrive 1 message").click());
      assertThat(sent.postData()).isEqualTo("{\"reason\":\"mended\"}");
      window.assertClean();
    }
  }

  @Test
  void theButtonsOfADialogHideNoFieldThatIsFilledIn() {
    try (Window window = open(Look.PHONE_LIGHT)) {
      Page page = window.to("#/parked");
      button(page, "Redrive…").click();
      Locator reason = page.locator("dialog input[name=reason]");
      assertThat(reason).isFocused();
      BoundingBox field = reason.boundingBox();
      assertThat(field.y + field.height)
          .isLessThanOrEqualTo(page.locator("dialog .dialog-buttons").boundingBox().y);
      window.assertClean();
    }
  }

  @Test
  void aPlanOfOneMessageNamesItsOrder() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/parked/501");
      var parked =
          page.waitForRequest("**/api/inbox/plans", () -> button(page, "Discard…").click());
      assertThat(parked.postData())
          .contains("\"messageId\":\"" + Routes.PARKED + "\"", "\"aggregateId\":\"10077\"");
      page.keyboard().press("Escape");
      window.then(Routes.all().get("dead-letter"));
      var letter =
          page.waitForRequest("**/api/outbox/plans", () -> button(page, "Redrive…").click());
      assertThat(letter.postData()).contains("\"id\":", "\"aggregateId\":");
      window.assertClean();
    }
  }

  @Test
  void policiesAreSeenSetAndEnded() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/policies");
      assertThat(page.locator("table").first()).containsText("30 attempts, first wait 5 s");
      assertThat(page.locator("main")).containsText("mistyped, see OPS-18"); // the redirect
      assertThat(page.locator("main")).containsText("OPS-212"); // the pause
      button(page, "Set one of a destination…").click();
      page.locator("dialog input[name=name]").fill("billing");
      page.locator("dialog input[name=maxAttempts]").fill("3");
      page.locator("dialog select[name=onDeadLetter]").selectOption("hold");
      page.locator("dialog input[name=reason]").fill("slow");
      var set =
          page.waitForRequest(
              "**/api/destinations/billing/policy", () -> button(page, "Set the policy").click());
      assertThat(set.method()).isEqualTo("PUT");
      assertThat(set.postData())
          .isEqualTo("{\"maxAttempts\":3,\"onDeadLetter\":\"hold\",\"reason\":\"slow\"}");
      assertThat(page.locator("dialog")).isHidden();
      page.locator("main button", new Page.LocatorOptions().setHasText("End it…")).click();
      page.locator("dialog input[name=reason]").fill("fast again");
      var ended =
          page.waitForRequest(
              "**/api/destinations/shipping/policy", () -> button(page, "End the policy").click());
      assertThat(ended.method()).isEqualTo("DELETE");
      assertThat(page.locator("dialog")).isHidden();
      window.then("#/consumers/shipping");
      assertThat(page.locator("main button", new Page.LocatorOptions().setHasText("Set a policy…")))
          .hasCount(1);
      window.assertClean();
    }
  }

  @Test
  void aNodeThatIsGoneSendsNothing() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/nodes");
      Locator gone = page.locator("tbody tr", new Page.LocatorOptions().setHasText("Gone"));
      assertThat(gone.first()).isVisible();
      assertThat(gone.locator(".badge.good")).hasCount(0);
      window.assertClean();
    }
  }

  @Test
  void timesOfAnAxisAreToldApart() {
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/nodes");
      String clocks = "async times => (await import('/postbox/js/chart.js')).clocks(times)";
      assertThat(page.evaluate(clocks, List.of(1764150180, 1764150200, 1764150220)))
          .isEqualTo(List.of("10:43:00", "10:43:20", "10:43:40"));
      assertThat(page.evaluate(clocks, List.of(1764150180, 1764150240)))
          .isEqualTo(List.of("10:43", "10:44"));
      window.assertClean();
    }
  }

  @Test
  void numbersSayWhatTheyCount() {
    JsonObject group = canned.items("outbox-failures").getJsonObject(0);
    answer(
        "outbox/failures",
        items(with(with(with(group, "failures", 0), "dead", 10_000), "more", JsonValue.TRUE)));
    JsonObject overview = canned.object("overview");
    answer(
        "overview",
        with(overview, "outbox", with(overview.getJsonObject("outbox"), "dead", 184_000)));
    try (Window window = open(Look.DESKTOP_LIGHT)) {
      Page page = window.to("#/");
      Locator handled = page.locator(".tile", new Page.LocatorOptions().setHasText("Handled"));
      assertThat(handled).containsText("this node, since its start");
      Locator entry =
          page.locator("#pages a", new Page.LocatorOptions().setHasText("Dead letters"));
      assertThat(entry.boundingBox().height)
          .isEqualTo(page.locator("#pages a").first().boundingBox().height);
      page = window.then("#/failures");
      assertThat(page.locator("tbody tr").first()).containsText("10,000+ dead");
      assertThat(page.getByText("0+", new Page.GetByTextOptions().setExact(true))).hasCount(0);
      window.assertClean();
    }
  }

  @Test
  void aFingerHitsWhatCanBeTouched() {
    try (Window window = open(Look.PHONE_LIGHT)) {
      window.to("#/nodes");
      for (String name :
          List.of(
              "destinations", "failures", "life-parked", "dead-letters", "consumers", "overview")) {
        Page page = window.then(Routes.all().get(name));
        assertThat(
                page.evaluate(
                    """
                    [...document.querySelectorAll('main a, main button')]
                      .filter(it => it.offsetHeight > 0 && (it.offsetHeight < 24 || it.offsetWidth < 24))
                      .map(it => `${it.textContent} ${it.offsetWidth}×${it.offsetHeight}`)
                    """))
            .as("too small on " + name)
            .isEqualTo(List.of());
      }
      window.assertClean();
    }
  }
}
