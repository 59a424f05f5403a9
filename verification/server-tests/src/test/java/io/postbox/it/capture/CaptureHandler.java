package io.postbox.it.capture;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.InboxHandler;
import io.postbox.it.tools.Database;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.config.ConfigProvider;

/** The handler: an effect and a follow-up in its transaction; then it fails, if it is told to. */
@ApplicationScoped
public class CaptureHandler {
  @Inject Outbox outbox;
  @Inject InboxContext inbox;
  @Inject CaptureScript script;

  @InboxHandler("capture")
  public void handle(CapturedMessage message) {
    script.play(message);
    String text = message.text().orElse("");
    database()
        .run(
            "INSERT INTO capture_effect (text, ordering_key, attempt) VALUES (?, ?, ?)",
            text,
            message.orderingKey().orElse(""),
            inbox.attempt());
    outbox.enqueue(
        OutboxMessage.to(setting("postbox.service") + "-follow-up").event("Handled").text(text));
    if (message.replyTo().isPresent()) {
      inbox.result("handled " + text);
    }
    script.perhapsFail(message);
  }

  /** Where it writes. */
  public static Database database() {
    return Database.at(setting("postbox.inbox.data-source"));
  }

  private static String setting(String key) {
    return ConfigProvider.getConfig().getValue(key, String.class);
  }
}
