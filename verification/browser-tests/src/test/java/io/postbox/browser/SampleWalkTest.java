package io.postbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.postbox.browser.Chromium.Look;
import io.postbox.browser.Chromium.Window;
import jakarta.json.Json;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The console of the sample in a real server that somebody has started: {@code
 * -Dconsole.url=http://localhost:9080/postbox/}, with its user for demonstrations.
 */
@EnabledIfSystemProperty(
    named = "console.url",
    matches = "https?://.+/",
    disabledReason =
        "It needs a server with the sample: -Dconsole.url=http://localhost:9080/postbox/")
@Tag("browser")
class SampleWalkTest {
  private static final String USER = "demonstration";
  private static final String DESTINATION = "shipping";

  private static Chromium chromium;
  private static URI console;

  @BeforeAll
  static void start() {
    console = URI.create(System.getProperty("console.url"));
    chromium = new Chromium();
  }

  @AfterAll
  static void stop() {
    chromium.close();
  }

  private static Window open() {
    return chromium.open(
        console,
        Look.DESKTOP_LIGHT,
        new Browser.NewContextOptions().setHttpCredentials(USER, USER));
  }

  /** Places an order and answers its id. */
  private static String order() throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(console.resolve("/api/orders"))
                    .header("Content-Type", "application/json")
                    .POST(
                        HttpRequest.BodyPublishers.ofString("{\"sku\":\"BOOK-1\",\"quantity\":1}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(201);
    try (JsonReader reader = Json.createReader(new StringReader(answer.body()))) {
      return reader.readObject().get("orderId").toString();
    }
  }

  @Test
  void everyPageOfTheRealServerIsShownWithoutAViolation() {
    try (Window window = open()) {
      window.to("#/nodes");
      for (Map.Entry<String, String> route : Routes.all().entrySet()) {
        if (!route.getValue().matches("#/\\w+(-\\w+)?/.+")) { // the canned ids are not there
          Page page = window.then(route.getValue());
          assertThat(page.locator("main .problem").count()).as(route.getKey()).isZero();
        }
      }
      window.assertClean();
    }
  }

  @Test
  void anOrderIsHeldBackByAPauseFoundByItsNumberAndDiscardedByAPlan() throws Exception {
    String reason = "walk " + System.nanoTime();
    try (Window window = open()) {
      Page page = window.to("#/destinations");
      if (page.getByText("Everything is paused").count() == 0) {
        change(page, "Pause all…", reason);
        assertThat(page.locator("main")).containsText("Everything is paused");
      }
      String id = order();
      page.getByRole(AriaRole.SEARCHBOX).fill(id);
      page.keyboard().press("Enter");
      assertThat(page.locator("main .note")).containsText("Name their destination"); // pending
      page.locator(".filters summary").click();
      page.getByLabel("Destination", new Page.GetByLabelOptions().setExact(true)).fill(DESTINATION);
      button(page, "Apply").click();
      Locator row = page.locator("tbody tr").first();
      assertThat(row).containsText("PENDING");
      row.locator(".id").click();
      assertThat(page.locator(".timeline li").first()).containsText("enqueued");

      window.then("#/destinations/" + DESTINATION);
      button(page, "Discard waiting messages…").click();
      assertThat(page.locator("dialog .effect")).containsText("never sent");
      page.getByLabel("Reason").fill(reason);
      page.keyboard().press("Enter");
      assertThat(page.locator("main .badge").first()).hasText("Done");

      window.then("#/audit");
      assertThat(page.locator("tbody tr", new Page.LocatorOptions().setHasText(reason)).first())
          .containsText("discard");
      window.then("#/destinations");
      change(page, "Resume all…", reason);
      assertThat(page.locator("main")).not().containsText("Everything is paused");
      window.assertClean();
    }
  }

  private static void change(Page page, String button, String reason) {
    button(page, button).click();
    page.getByLabel("Reason").fill(reason);
    page.keyboard().press("Enter");
    page.locator("dialog[open]")
        .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN));
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }
}
