package io.postbox.inbox.interceptor;

import io.postbox.inbox.receiver.Route;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The route of a message that arrived without JMS: the reply is returned, and nothing can be sent.
 */
final class DirectReply implements Route {
  private @Nullable String text;

  @Override
  public boolean canBeRefused() {
    return true;
  }

  @Override
  public boolean wantsReply() {
    return true;
  }

  @Override
  public void reply(String result) {
    text = result;
  }

  /** The handler's reply, from this or an earlier call. */
  Optional<String> text() {
    return Optional.ofNullable(text);
  }
}
