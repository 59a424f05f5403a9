package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxContext.OutsideCall;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.EffectStore.Made;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutsideEffectsTest {
  private static final HandlerRun FIRST = run("shipping", "id-1", 1);
  private static final HandlerRun SECOND = run("shipping", "id-1", 2);

  private final Map<String, Made> table = new HashMap<>();
  private final List<String> keys = new ArrayList<>();
  private boolean writable = true;
  private final OutsideEffects effects = new OutsideEffects("shop", new Memory());

  private final OutsideCall<RuntimeException> charge =
      key -> {
        keys.add(key);
        return "charge-" + keys.size();
      };

  private static HandlerRun run(String consumer, String id, int attempt) {
    return new HandlerRun(TestDelivery.of(id).to(consumer).delivery(), attempt);
  }

  @Test
  void aLaterTryGetsWhatTheCallReturnedAndDoesNotMakeIt() {
    assertThat(effects.once(FIRST, "charge", charge)).isEqualTo("charge-1");
    assertThat(effects.once(SECOND, "charge", charge)).isEqualTo("charge-1");

    assertThat(keys).hasSize(1);
  }

  @Test
  void anotherEffectMessageOrConsumerIsAnotherCall() {
    effects.once(FIRST, "charge", charge);
    effects.once(FIRST, "mail", charge);
    effects.once(run("shipping", "id-2", 1), "charge", charge);
    effects.once(run("billing", "id-1", 1), "charge", charge);

    assertThat(keys).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void theCallGetsTheKeyThatTheHandlerCanAskFor() {
    effects.once(FIRST, "charge", charge);

    assertThat(keys).containsExactly(effects.key(SECOND, "charge"));
  }

  @Test
  void aCallThatThrowsIsPassedOnAndMadeAgain() {
    IOException timeout = new IOException("time-out");
    assertThatThrownBy(
            () ->
                effects.once(
                    FIRST,
                    "charge",
                    key -> {
                      throw timeout;
                    }))
        .isSameAs(timeout);

    assertThat(effects.once(SECOND, "charge", charge)).isEqualTo("charge-1");
  }

  @Test
  void theSecondHandlerGetsTheFirstOnesResultAndItIsLogged() {
    try (LogLines log = new LogLines()) {
      String got =
          effects.once(
              FIRST,
              "charge",
              key -> {
                effects.once(SECOND, "charge", charge);
                return "mine";
              });

      assertThat(got).isEqualTo("charge-1");
      assertThat(log.all())
          .singleElement()
          .asString()
          .startsWith("IBX0080 The effect 'charge' of message id-1 for the consumer 'shipping'");
    }
  }

  @Test
  void anUnrecordedEffectIsReportedAsMade() {
    writable = false;

    assertThatThrownBy(() -> effects.once(FIRST, "charge", charge))
        .isInstanceOf(InboxException.class)
        .hasMessageContainingAll(
            "'charge'",
            "id-1",
            "'shipping'",
            "was made and its result cannot be recorded",
            "read-only")
        .hasRootCauseMessage("read-only");
    assertThat(keys).hasSize(1);
  }

  @Test
  void aCallWhoseResultCannotBeStoredIsMadeOnce() {
    for (String unstorable :
        Arrays.asList("\0", "\ud800", "x".repeat(EffectLimits.LONGEST + 1), null)) {
      table.clear();
      keys.clear();
      OutsideCall<RuntimeException> call =
          key -> {
            keys.add(key);
            return unstorable;
          };

      assertThatThrownBy(() -> effects.once(FIRST, "charge", call))
          .isInstanceOf(RejectedMessageException.class)
          .hasMessageContainingAll(
              "'charge'", "id-1", "'shipping'", "was made", "the effect's result");
      assertThatThrownBy(() -> effects.once(SECOND, "charge", call))
          .isInstanceOf(RejectedMessageException.class)
          .hasMessageContainingAll("'charge'", "was made", "not made again");
      assertThat(keys).hasSize(1);
    }
  }

  @Test
  void ofTwoCallsAtOnceTheResultThatWasStoredCounts() {
    assertThat(
            effects.once(
                FIRST,
                "charge",
                key -> {
                  effects.once(SECOND, "charge", charge);
                  return "\0";
                }))
        .isEqualTo("charge-1");
  }

  @Test
  void theMemoryIsAskedBeforeTheCallIsMade() {
    OutsideEffects unreadable =
        new OutsideEffects(
            "shop",
            new Memory() {
              @Override
              public Optional<Made> recall(String consumer, String messageId, String effect) {
                throw new InboxException("unreadable", null);
              }
            });

    assertThatThrownBy(() -> unreadable.once(FIRST, "charge", charge)).hasMessage("unreadable");
    assertThat(keys).isEmpty();
  }

  @Test
  void aNameThatCannotBeOneIsRefusedBeforeAnythingHappens() {
    for (String name : List.of("", " ", "e".repeat(201), "a\nb", "\0", "\ud800")) {
      assertThatThrownBy(() -> effects.once(FIRST, name, charge))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 200 characters");
      assertThatThrownBy(() -> effects.key(FIRST, name))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(keys).isEmpty();
    assertThat(effects.once(FIRST, "e".repeat(200), charge)).isEqualTo("charge-1");
  }

  @Test
  void aKeptTextHasUpToOneMebibyte() {
    String longest = "x".repeat(1_048_576);
    assertThat(EffectLimits.checked("it", longest)).isSameAs(longest);
    for (String tooMuch : List.of(longest + "x", "\u00fc".repeat(524_289))) {
      assertThatThrownBy(() -> EffectLimits.checked("it", tooMuch))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("up to 1 MiB");
    }
    assertThatThrownBy(() -> EffectLimits.checked("it", "a\0"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private class Memory implements EffectStore {
    @Override
    public Optional<Made> recall(String consumer, String messageId, String effect) {
      return Optional.ofNullable(table.get(key(consumer, messageId, effect)));
    }

    @Override
    public Made remember(String consumer, String messageId, String effect, Made made) {
      if (!writable) {
        throw new InboxException("read-only", null);
      }
      Made before = table.putIfAbsent(key(consumer, messageId, effect), made);
      return before == null ? made : before;
    }

    private String key(String consumer, String messageId, String effect) {
      return consumer + "/" + messageId + "/" + effect;
    }
  }
}
