package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.ops.Counters;
import io.postbox.inbox.receiver.InboxListener;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompositeListenerTest {

  @Test
  void oneThatFailsIsLoggedAndHurtsNoOther() {
    hurtsNoOther(
        event -> {
          throw new IllegalStateException("no registry");
        });
    hurtsNoOther(
        event -> {
          throw new NoClassDefFoundError("no registry");
        });
  }

  private static void hurtsNoOther(InboxListener broken) {
    Counters counters = new Counters();

    try (LogLines lines = new LogLines()) {
      new CompositeListener(List.of(broken, counters))
          .happened(new MessageSkipped("shipping", "id-1", Optional.empty(), Why.DUPLICATE));

      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0007 ")
          .contains("'shipping'", "MessageSkipped", "no registry");
    }
    assertThat(counters.of("shipping", MessageSkipped.class)).isEqualTo(1);
  }
}
