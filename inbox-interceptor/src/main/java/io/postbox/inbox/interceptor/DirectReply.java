package io.postbox.inbox.interceptor;

import io.postbox.inbox.receiver.Route;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** For a message that came without JMS: the reply is handed back, and nothing can be sent. */
final class DirectReply implements Route {
  private @Nullable String text;

  @Override
  public boolean wantsReply() {
    return true;
  }

  @Override
  public void reply(String result) {
    text = result;
  }

  /** What the handler has answered, now or before. */
  Optional<String> text() {
    return Optional.ofNullable(text);
  }
}
