package io.postbox.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A headless Chromium of this machine: {@code -Dbrowser.executable=...}, or the first one that is
 * there. Nothing is downloaded.
 */
final class Chromium implements AutoCloseable {
  private static final List<String> USUAL =
      List.of(
          "/usr/bin/chromium",
          "/usr/bin/chromium-browser",
          "/usr/bin/google-chrome",
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
          "C:/Program Files/Google/Chrome/Application/chrome.exe");

  /** Some pages ask the server every 2 s, and a machine may have much else to do. */
  private static final int UNTIL_SHOWN_MILLIS = 20_000;

  private final Playwright playwright;
  private final Browser browser;

  /** How a page is looked at. */
  enum Look {
    DESKTOP_LIGHT(1280, 860, ColorScheme.LIGHT),
    DESKTOP_DARK(1280, 860, ColorScheme.DARK),
    PHONE_LIGHT(390, 844, ColorScheme.LIGHT),
    PHONE_DARK(390, 844, ColorScheme.DARK);

    private final int width;
    private final int height;
    private final ColorScheme colors;

    Look(int width, int height, ColorScheme colors) {
      this.width = width;
      this.height = height;
      this.colors = colors;
    }

    boolean isPhone() {
      return width < 500;
    }

    String fileName() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  Chromium() {
    PlaywrightAssertions.setDefaultAssertionTimeout(UNTIL_SHOWN_MILLIS);
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(executable())
                    .setChromiumSandbox(false)
                    .setArgs(List.of("--disable-dev-shm-usage", "--disable-gpu")));
  }

  private static Path executable() {
    return Stream.concat(
            Stream.of(System.getProperty("browser.executable", "")).filter(it -> !it.isBlank()),
            USUAL.stream())
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "There is no Chromium at any of "
                        + USUAL
                        + ": install one (apt-get install chromium), or say where it is with"
                        + " -Dbrowser.executable=..."));
  }

  /** A window of its own, without anything from another one. */
  Window open(URI base, Look look) {
    return open(base, look, new Browser.NewContextOptions());
  }

  Window open(URI base, Look look, Browser.NewContextOptions options) {
    return new Window(
        base,
        browser.newContext(
            options
                .setViewportSize(look.width, look.height)
                .setColorScheme(look.colors)
                .setHasTouch(look.isPhone())
                .setTimezoneId("Europe/Berlin")
                .setLocale("en-GB")));
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }

  /** A page, and all that went wrong on it. */
  static final class Window implements AutoCloseable {
    private static final String VIOLATIONS =
        """
        window.violations = [];
        document.addEventListener('securitypolicyviolation', event =>
          window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
        """;

    private final URI base;
    private final BrowserContext context;
    private final Page page;
    private final List<String> errors = new ArrayList<>();

    private Window(URI base, BrowserContext context) {
      this.base = base;
      this.context = context;
      context.setDefaultTimeout(15_000);
      context.addInitScript(VIOLATIONS);
      page = context.newPage();
      page.onConsoleMessage(this::note);
      page.onPageError(errors::add);
    }

    private void note(ConsoleMessage message) {
      // Chromium itself writes a line for each answer of 400 and above.
      if (message.type().equals("error")
          && !message.text().startsWith("Failed to load resource: the server responded")) {
        errors.add(message.text() + " " + message.location());
      }
    }

    Page page() {
      return page;
    }

    /** Opens a route in a fresh page and waits for its content. */
    Page to(String route) {
      page.navigate("about:blank");
      page.navigate(base + route);
      return settled();
    }

    /** Goes on to another route of the same page and waits for its content. */
    Page then(String route) {
      page.evaluate(
          """
          route => location.hash === route || new Promise(changed => {
            addEventListener('hashchange', () => changed(true), { once: true });
            location.hash = route;
          })
          """,
          route);
      return settled();
    }

    /** Waits until the page has what it asked for. */
    Page settled() {
      page.locator("main[aria-busy=false]").waitFor();
      page.locator(".service, .problem").first().waitFor();
      return page;
    }

    /** Keeps what it shows, for a person who looks into a failure. */
    void picture(Path file) {
      page.screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
    }

    /** Fails if a script had an error, or the policy for contents was violated. */
    void assertClean() {
      assertThat(errors).as("errors of the page").isEmpty();
      assertThat((List<?>) page.evaluate("window.violations ?? []"))
          .as("violations of the Content-Security-Policy")
          .isEmpty();
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
