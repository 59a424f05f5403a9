package io.postbox.it.letters;

import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.PayloadLoader;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Has none of the payloads that messages refer to, so that each attempt at them fails. */
@ApplicationScoped
public class EmptyShelf implements PayloadLoader {
  @Override
  public Optional<LoadedPayload> load(String table, String id) {
    return Optional.empty();
  }
}
