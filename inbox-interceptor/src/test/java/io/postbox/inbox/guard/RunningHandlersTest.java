package io.postbox.inbox.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class RunningHandlersTest {
  private static final Handling OUTER = new Handling("shipping", "id-1", 1);
  private static final Handling INNER = new Handling("audit", "id-1", 1);

  @Test
  void theInnermostOneCountsUntilItReturnsOrThrows() throws Exception {
    RunningHandlers.during(
        OUTER,
        () -> {
          assertThat(RunningHandlers.current()).isSameAs(OUTER);
          RunningHandlers.during(
              INNER, () -> assertThat(RunningHandlers.current()).isSameAs(INNER));
          assertThat(RunningHandlers.current()).isSameAs(OUTER);
          assertThatThrownBy(
                  () ->
                      RunningHandlers.during(
                          INNER,
                          () -> {
                            throw new IllegalStateException("inner");
                          }))
              .hasMessage("inner");
          return assertThat(RunningHandlers.current()).isSameAs(OUTER);
        });
    outside();
  }

  @Test
  void anotherThreadHasNothingToDoWithIt() throws Exception {
    RunningHandlers.during(
        OUTER,
        () -> {
          CompletableFuture<Void> elsewhere =
              CompletableFuture.runAsync(RunningHandlersTest::outside);
          try {
            return elsewhere.get();
          } catch (ExecutionException wrong) {
            throw new AssertionError(wrong);
          }
        });
  }

  private static void outside() {
    assertThatThrownBy(RunningHandlers::current)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("No handler of the inbox runs on this thread");
  }
}
