package io.postbox.benchmark.inbox;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.SQLException;

/** Writes the effect of each captured message, in the transaction that marks it as processed. */
@ApplicationScoped
public class CapturedHandler {
  @Inject Effects effects;

  /** Handles it. */
  @InboxHandler("captured")
  public void handle(CapturedMessage message) throws SQLException {
    effects.write(message.id(), message.text().orElseThrow());
  }
}
