package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.server.ServerFeature;
import org.junit.jupiter.api.Test;

class RequiredFeaturesTest {

  @Test
  void aMissingFeatureIsNamedWithWhatItIsNeededFor() {
    assertThatThrownBy(
            () ->
                ServerFeature.require(
                    RequiredFeatures.ALL,
                    feature -> !feature.type().startsWith("org.eclipse.microprofile")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "The server lacks the feature mpConfig-3.1, from which the outbox reads its settings:"
                + " enable what Open Liberty calls mpConfig-3.1.");
  }

  @Test
  void allThatAreMissingAreNamedAtOnceButNotThoseThatNotEverybodyNeeds() {
    assertThatThrownBy(() -> ServerFeature.require(RequiredFeatures.ALL, feature -> false))
        .hasMessageContainingAll(
            "mpConfig-3.1", "enterpriseBeansLite-4.0", "concurrent-3.0", "messaging-3.1")
        .message()
        .doesNotContain("persistence-3.1", "jsonb-3.0");
  }

  @Test
  void whereAllAreThereNobodyComplains() {
    RequiredFeatures.check(); // the tests have their classes
    assertThat(RequiredFeatures.JSON_BINDING.isPresent(getClass().getClassLoader())).isTrue();
  }
}
