package io.postbox.test;

/** Where in the handling of a message a test lets it fail, or lets the process crash. */
public enum Point {
  /** The inbox has recorded the message's id, and the handler has not been called. */
  BEFORE_HANDLER("before the handler was called"),

  /** The handler has returned, and nothing is committed. */
  AFTER_HANDLER("after the handler had returned, before the commit"),

  /** The database is about to commit, and does not. */
  AT_COMMIT("at the commit, which did not happen"),

  /** The database has committed, and the broker does not learn that the message is handled. */
  AFTER_COMMIT("after the commit, before the acknowledgement");

  private final String text;

  Point(String text) {
    this.text = text;
  }

  /** For failure texts. */
  @Override
  public String toString() {
    return text;
  }
}
