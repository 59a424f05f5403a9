package io.postbox.outbox.jms;

import org.jspecify.annotations.Nullable;

/** Stands for a provider's exception that is not on the class path: it says what that one says. */
final class SeenFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final String text;

  SeenFailure(String text) {
    this(text, null);
  }

  SeenFailure(String text, @Nullable Throwable cause) {
    super(text, cause);
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
