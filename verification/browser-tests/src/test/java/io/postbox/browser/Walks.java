package io.postbox.browser;

import com.microsoft.playwright.Browser;
import io.postbox.browser.Chromium.Look;
import io.postbox.browser.Chromium.Window;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The walks of all classes share one server, started by the first of them, and one browser. Each
 * test begins with nothing left of the one before, and with a window of its own; a test that fails
 * leaves a picture of it.
 */
final class Walks
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterTestExecutionCallback,
        AfterEachCallback {
  private @Nullable Shared shared;
  private @Nullable Window window;

  /** Ends with the last test of this JVM; its processes end with the JVM in any case. */
  private static final class Shared implements AutoCloseable {
    private final WalkServer server = new WalkServer();
    private final Chromium chromium;

    Shared() {
      server.start();
      chromium = new Chromium();
    }

    @Override
    public void close() {
      chromium.close();
      server.close();
    }
  }

  WalkServer server() {
    return shared().server;
  }

  /** The operator's window. */
  Window window() {
    return Objects.requireNonNull(window, "there is one during a test");
  }

  /** A window of somebody who has logged in. */
  Window open(String user) {
    return shared()
        .chromium
        .open(
            server().console(),
            Look.DESKTOP_LIGHT,
            new Browser.NewContextOptions().setHttpCredentials(user, user));
  }

  /** Closes the operator's window, as when a browser dies, and opens another one. */
  void reopen() {
    window().close();
    window = open("operator");
  }

  private Shared shared() {
    return Objects.requireNonNull(shared, "there is one after beforeAll");
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    shared =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(Walks.class))
            .getOrComputeIfAbsent(Shared.class, key -> new Shared(), Shared.class);
  }

  @Override
  public void beforeEach(ExtensionContext test) {
    server().forget();
    window = open("operator");
  }

  @Override
  public void afterTestExecution(ExtensionContext test) {
    if (test.getExecutionException().isPresent()) {
      window().picture(server().work().resolve(test.getRequiredTestMethod().getName() + ".png"));
    }
  }

  @Override
  public void afterEach(ExtensionContext test) {
    window().close();
  }
}
