package io.postbox.it.erasure;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Handles what was captured. */
@ApplicationScoped
public class LaterHandler {
  @Inject Diary diary;

  @InboxHandler("later")
  public void handle(CapturedMessage message) {
    diary.handle("later " + message.text().orElse(""));
  }
}
