package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BusyConsumersTest {
  private final BusyConsumers atWork = new BusyConsumers();

  @Test
  void aHandlerIsAtWorkUntilTheLastOneOfItsConsumerIsOver() throws Exception {
    Object returned =
        atWork.during(
            "shipping",
            () -> {
              atWork.during(
                  "shipping",
                  () -> {
                    assertThat(atWork.numbers()).isEqualTo(Map.of("shipping", 2));
                    return "inner";
                  });
              assertThat(atWork.numbers()).isEqualTo(Map.of("shipping", 1));
              assertThat(atWork.isAny("shipping"::equals)).isTrue();
              assertThat(atWork.isAny("orders"::equals)).isFalse();
              return "outer";
            });

    assertThat(returned).isEqualTo("outer");
    assertThat(atWork.numbers()).isEmpty();
    assertThat(atWork.isAny(any -> true)).isFalse();
  }

  @Test
  void alsoIfItThrows() {
    Error thrown = new AssertionError("the handler fails badly");

    assertThatThrownBy(
            () ->
                atWork.during(
                    "shipping",
                    () -> {
                      throw thrown;
                    }))
        .isSameAs(thrown);

    assertThat(atWork.isAny(any -> true)).isFalse();
  }
}
