package io.postbox.console.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.PlanToken;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.ReplyOnRedrive;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboxPlansTest {
  private static final Instant NOW = Instant.parse("2026-11-23T22:00:00Z");

  private static KeptPlan plan(long messages) {
    return new KeptPlan(
        PlanToken.NONE,
        KeptPlan.Kind.PARKED,
        KeptFilter.all(),
        9,
        List.of(new KeptPlan.ForConsumer("shipping", messages, NOW, NOW)));
  }

  @Test
  void aPlanOfOneMessageSpeaksOfOne() {
    assertThat(InboxPlans.effect("redrive", plan(1), ReplyOnRedrive.KEEP))
        .containsExactly(
            "1 message is sent to its consumer again, with all its attempts.",
            "It keeps the reply-to that its sender has chosen.",
            "If it cannot be sent, it stays.");
    assertThat(InboxPlans.effect("redrive", plan(2), ReplyOnRedrive.DROP))
        .containsExactly(
            "2 messages are sent to their consumers again, with all their attempts.",
            "They lose the reply-to that their senders have chosen: no reply is sent.",
            "A message that cannot be sent stays, and the others go on.");
  }
}
