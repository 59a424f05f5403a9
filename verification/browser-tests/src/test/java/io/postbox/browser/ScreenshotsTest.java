package io.postbox.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.postbox.browser.Chromium.Look;
import io.postbox.browser.Chromium.Window;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pictures in target/screenshots, for people to look at: all pages, and some in each look. */
@Tag("browser")
class ScreenshotsTest {
  private static final Path FOLDER = Path.of("target", "screenshots");

  private static Chromium chromium;
  private static ConsoleStub stub;

  @BeforeAll
  static void start() {
    chromium = new Chromium();
    stub = new ConsoleStub(false);
  }

  @AfterAll
  static void stop() {
    chromium.close();
    stub.close();
  }

  @ParameterizedTest
  @MethodSource("io.postbox.browser.Drawn#looks")
  void everyPage(Look look) {
    try (Window window = chromium.open(stub.base(), look)) {
      window.to("#/");
      Routes.of(look).forEach((name, route) -> shoot(window.then(route), name, look));
      Page page = window.then(Routes.all().get("cause-outbox"));
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Redrive…")).click();
      assertThat(page.locator("dialog .numbers")).isVisible();
      page.getByLabel("Reason").fill("fixed in release 4.2, OPS-77");
      picture(page, "plan", look, false);
      window.assertClean();
    }
    try (Window window = chromium.open(stub.base(), look)) {
      Page page = window.page();
      page.clock().install();
      window.to("#/");
      for (int i = 0; i < 24; i++) {
        page.waitForResponse("**/api/overview*", () -> page.clock().runFor(5_000));
      }
      page.locator(".plot canvas").first().waitFor();
      shoot(page, "overview", look);
      window.assertClean();
    }
  }

  private static void shoot(Page page, String name, Look look) {
    picture(page, name, look, true);
  }

  private static void picture(Page page, String name, Look look, boolean whole) {
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(FOLDER.resolve(name + "-" + look.fileName() + ".png"))
            .setFullPage(whole));
  }
}
