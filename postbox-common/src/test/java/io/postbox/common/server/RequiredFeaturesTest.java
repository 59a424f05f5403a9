package io.postbox.common.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.ConfigurationException;
import org.junit.jupiter.api.Test;

class RequiredFeaturesTest {

  @Test
  void aMissingFeatureIsNamedWithWhatItIsNeededFor() {
    assertThatThrownBy(() -> withoutMicroProfile(RequiredFeatures.OF_OUTBOX))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "The server lacks the feature mpConfig-3.1, from which the outbox reads its settings:"
                + " enable what Open Liberty calls mpConfig-3.1.");
    assertThatThrownBy(() -> withoutMicroProfile(RequiredFeatures.OF_INBOX))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "The server lacks the feature mpConfig-3.1, from which the inbox reads its settings:"
                + " enable what Open Liberty calls mpConfig-3.1.");
  }

  private static void withoutMicroProfile(RequiredFeatures required) {
    required.check(feature -> !feature.type().startsWith("org.eclipse.microprofile"));
  }

  @Test
  void allThatAreMissingAreNamedAtOnceButNotThoseThatNotEverybodyNeeds() {
    for (RequiredFeatures required :
        new RequiredFeatures[] {RequiredFeatures.OF_OUTBOX, RequiredFeatures.OF_INBOX}) {
      assertThatThrownBy(() -> required.check(feature -> false))
          .hasMessageContainingAll(
              "mpConfig-3.1",
              "enterpriseBeansLite-4.0",
              "concurrent-3.0",
              "messaging-3.1",
              "jsonp-2.1")
          .message()
          .doesNotContain("persistence-3.1", "jsonb-3.0");
    }
  }
}
