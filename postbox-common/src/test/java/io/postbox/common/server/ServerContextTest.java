package io.postbox.common.server;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.enterprise.concurrent.ContextService;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class ServerContextTest {
  private final ThreadLocal<Context> current = new ThreadLocal<>();
  private int captured;

  /**
   * As a server's that keeps the connections of a context in it, whichever thread has opened them.
   */
  private static final class Context {
    private final Set<String> connections = new HashSet<>();
  }

  private final ContextService contexts =
      (ContextService)
          Proxy.newProxyInstance(
              ServerContextTest.class.getClassLoader(),
              new Class<?>[] {ContextService.class},
              (proxy, method, arguments) -> {
                captured++;
                Context own = new Context();
                return (Executor)
                    task -> {
                      Context before = current.get();
                      current.set(own);
                      task.run();
                      current.set(before);
                    };
              });

  private Set<String> openIn(Executor context, String connection) {
    Set<String> open = new HashSet<>();
    context.execute(
        () -> {
          current.get().connections.add(connection);
          open.addAll(current.get().connections);
        });
    return open;
  }

  @Test
  void whereContextsShareConnectionsEachTaskHasOneOfItsOwn() {
    Executor context = ServerContext.captured(contexts, true);

    assertThat(openIn(context, "first")).containsExactly("first");
    assertThat(openIn(context, "second")).containsExactly("second");
  }

  @Test
  void elsewhereItIsCapturedOnce() {
    Executor context = ServerContext.captured(contexts, false);
    openIn(context, "first");
    openIn(context, "second");

    assertThat(captured).isOne();
  }
}
