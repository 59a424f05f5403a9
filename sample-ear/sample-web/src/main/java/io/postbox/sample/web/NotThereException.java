package io.postbox.sample.web;

/** The caller asked for something that does not exist. */
final class NotThereException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotThereException(String sentence) {
    super(sentence);
  }
}
