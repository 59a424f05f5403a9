package io.postbox.inbox.log;

import io.postbox.common.testing.LogIds;
import org.junit.jupiter.api.Test;

class LogIdsGoldenTest {
  @Test
  void eachLineKeepsItsIdAndLevel() {
    LogIds.inSources("IBX").areOnRecord();
  }
}
