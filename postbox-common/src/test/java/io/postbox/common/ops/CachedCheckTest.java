package io.postbox.common.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CachedCheckTest {
  private Instant now = Instant.EPOCH;
  private int checks;
  private Supplier<Optional<String>> answer = Optional::empty;
  private final CachedCheck check =
      new CachedCheck(
          () -> {
            checks++;
            return answer.get();
          },
          () -> now);

  private void after(Duration pause) {
    now = now.plus(pause);
  }

  @Test
  void anAnswerIsGoodForASecondHoweverManyAsk() {
    for (int i = 0; i < 100; i++) {
      assertThat(check.problem()).isEmpty();
    }
    assertThat(checks).isEqualTo(1);

    answer = () -> Optional.of("read-only");
    after(CachedCheck.KEPT_FOR.minusMillis(1));
    assertThat(check.problem()).isEmpty();
    after(Duration.ofMillis(1));
    assertThat(check.problem()).contains("read-only");
    assertThat(check.problem()).contains("read-only");
    assertThat(checks).isEqualTo(2);
  }

  @Test
  void whileOneWaitsForTheDatabaseNobodyElseAsksIt() {
    assertThat(check.problem()).isEmpty();
    after(CachedCheck.KEPT_FOR);
    answer =
        () -> {
          after(CachedCheck.PATIENCE.minusMillis(1));
          assertThat(check.problem()).as("the last answer, for a while").isEmpty();
          after(Duration.ofMillis(1));
          assertThat(check.problem())
              .contains("the database was asked 5 s ago and has not answered yet");
          return Optional.of("too late");
        };

    assertThat(check.problem()).contains("too late");
    assertThat(checks).isEqualTo(2);
  }

  @Test
  void beforeTheFirstAnswerNothingIsSaidToBeWell() {
    answer =
        () -> {
          assertThat(check.problem())
              .contains("the database was asked 0 s ago and has not answered yet");
          return Optional.empty();
        };

    assertThat(check.problem()).isEmpty();
  }

  @Test
  void oneThatBreaksDownIsMadeAgain() {
    answer =
        () -> {
          throw new IllegalStateException("broken");
        };
    assertThatThrownBy(check::problem).hasMessage("broken");

    answer = Optional::empty;
    assertThat(check.problem()).isEmpty();
    assertThat(checks).isEqualTo(2);
  }
}
