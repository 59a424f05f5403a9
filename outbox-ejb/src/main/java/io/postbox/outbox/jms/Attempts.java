package io.postbox.outbox.jms;

import io.postbox.outbox.jms.SendTracing.Attempt;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The attempts of one batch; all have the same result. */
final class Attempts {
  private final SendTracing tracing;
  private final List<Attempt> begun = new ArrayList<>();

  Attempts(SendTracing tracing) {
    this.tracing = tracing;
  }

  Attempt begin(StoredMessage message, Headers headers) {
    Attempt attempt = tracing.begin(message, headers.traceState());
    begun.add(attempt);
    return attempt;
  }

  void end(@Nullable Throwable failure) {
    begun.forEach(attempt -> attempt.end().ended(failure));
    begun.clear();
  }
}
