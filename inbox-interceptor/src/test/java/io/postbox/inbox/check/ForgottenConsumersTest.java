package io.postbox.inbox.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.check.Finding;
import io.postbox.inbox.config.DeployedConsumers;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ForgottenConsumersTest {
  private static final List<String> REMEMBERED = List.of("billing", "shipping");

  private static List<Finding> find(Set<String> deployed, boolean others, String... elsewhere) {
    return ConsumerKeyRules.forgotten(
        REMEMBERED, new DeployedConsumers(deployed, others), List.of(elsewhere));
  }

  @Test
  void aConsumerThatIsRememberedAndNowhereIsNamed() {
    assertThat(find(Set.of("billing", "dispatch"), false))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.name()).isEqualTo("unknown-consumer");
              assertThat(found.text())
                  .contains("no node has: shipping.", "handling.md#renaming-a-consumer");
            });
  }

  @Test
  void nothingIsFoundIfAllAreHereOrOnANodeThatIsAlive() {
    assertThat(find(Set.of("billing", "shipping"), false)).isEmpty();
    assertThat(find(Set.of("billing"), false, "shipping")).isEmpty();
  }

  /** Whoever uses InboxGuard names its consumers in its code. */
  @Test
  void nothingIsFoundIfOnlyTheCodeKnowsTheConsumers() {
    assertThat(find(Set.of(), true)).isEmpty();
  }
}
