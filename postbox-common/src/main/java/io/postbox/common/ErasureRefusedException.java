package io.postbox.common;

/**
 * What was to be erased cannot be looked for, and nothing was changed. The message is Postbox's own
 * and names neither an aggregate nor a person, so it may be shown.
 */
public class ErasureRefusedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message why; no other exception's text
   */
  public ErasureRefusedException(String message) {
    super(message);
  }
}
