package io.postbox.common.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.MessageFilter;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.PlanToken;
import io.postbox.common.testing.SettableClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PlanTokensTest {
  private static final List<Object> CONTENT = List.of("PARKED", 9L, "shipping", 3L);
  private static final byte[] KEY = key("of the service");

  private final SettableClock clock = new SettableClock();
  private final List<String> log = new ArrayList<>();
  private final PlanTokens tokens = of("shop", KEY);

  @Test
  void aPlanIsGoodForWhoAskedForItOnAnyNodeUntilItsTimeIsOver() {
    PlanToken token = tokens.issue("ada", CONTENT);
    clock.advance(Duration.ofHours(1).minusMillis(1));

    assertThatCode(() -> of("shop", KEY.clone()).check(token, "ada", CONTENT))
        .doesNotThrowAnyException();
    assertThat(log).isEmpty();

    clock.advance(Duration.ofMillis(1));
    refuses(Why.EXPIRED, token, "ada", CONTENT);
  }

  @Test
  void twoPlansOfTheSameAreTwo() {
    PlanToken one = tokens.issue("ada", CONTENT);
    PlanToken other = tokens.issue("ada", CONTENT);

    assertThat(one.id()).isNotEqualTo(other.id());
    assertThat(one.mac()).isNotEqualTo(other.mac()).hasSize(43);
  }

  @Test
  void somebodyElseIsRefusedAndThatIsLogged() {
    PlanToken token = tokens.issue("ada", CONTENT);

    refuses(Why.FOREIGN, token, "eve", CONTENT);

    assertThat(log)
        .singleElement()
        .asString()
        .startsWith("eve: The plan " + token.id())
        .contains("was made by another principal");
  }

  @Test
  void anyChangeMakesItAnother() {
    PlanToken token = tokens.issue("ada", CONTENT);

    refuses(Why.UNKNOWN, token, "ada", List.of("PARKED", 9L, "shipping", 4L));
    refuses(Why.UNKNOWN, token, "ada", List.of("PARKED", 9L, "shipping"));
    refuses(Why.UNKNOWN, token, "ada", List.of("PARKED", 9L, "shippin", "g3"));
    refuses(Why.UNKNOWN, with(token, UUID.randomUUID(), "ada", Duration.ZERO), "ada", CONTENT);
    refuses(Why.UNKNOWN, with(token, token.id(), "eve", Duration.ZERO), "eve", CONTENT);
    refuses(Why.UNKNOWN, with(token, token.id(), "ada", Duration.ofHours(1)), "ada", CONTENT);
    refuses(Why.UNKNOWN, PlanToken.NONE, "", CONTENT);
  }

  @Test
  void anotherServiceOrKeyKnowsNothingOfIt() {
    PlanToken token = tokens.issue("ada", CONTENT);

    assertThatThrownBy(() -> of("another", KEY).check(token, "ada", CONTENT))
        .isInstanceOf(PlanRefusedException.class);
    assertThatThrownBy(() -> of("shop", key("of another")).check(token, "ada", CONTENT))
        .isInstanceOf(PlanRefusedException.class);
  }

  @Test
  void aFiltersSetHasOneOrder() {
    Filter filter =
        new Filter(
            Map.of(Criterion.IDS, Set.of("b", "a", "c", "e", "d"), Criterion.CONSUMER, "shipping"));

    assertThat(PlanTokens.content(filter))
        .containsExactly(
            Criterion.CONSUMER,
            "shipping",
            Criterion.IDS,
            new TreeSet<>(Set.of("a", "b", "c", "d", "e")));
    assertThat(PlanTokens.content(filter).toString()).endsWith("[a, b, c, d, e]]");
  }

  private enum Criterion {
    CONSUMER,
    IDS
  }

  private static final class Filter extends MessageFilter<Criterion> {
    private static final long serialVersionUID = 1L;

    Filter(Map<Criterion, Object> criteria) {
      super(new EnumMap<>(criteria));
    }
  }

  private void refuses(Why why, PlanToken token, String principal, List<Object> content) {
    assertThatThrownBy(() -> tokens.check(token, principal, content))
        .isInstanceOfSatisfying(
            PlanRefusedException.class, refused -> assertThat(refused.why()).isEqualTo(why));
  }

  private static PlanToken with(PlanToken token, UUID id, String madeBy, Duration longer) {
    return new PlanToken(id, madeBy, token.expiresAt().plus(longer), token.mac());
  }

  private PlanTokens of(String service, byte[] key) {
    return new PlanTokens(service, key, clock, (who, why) -> log.add(who + ": " + why));
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
