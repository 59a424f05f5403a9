package io.postbox.outbox.config;

import io.postbox.common.testing.Golden;
import org.junit.jupiter.api.Test;

class KeysGoldenTest {
  @Test
  void theKeysKeepTheirNames() {
    Golden.of("configuration-keys").holds(ConfigurationTableTest.keys().stream());
  }
}
