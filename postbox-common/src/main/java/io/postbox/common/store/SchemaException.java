package io.postbox.common.store;

import org.jspecify.annotations.Nullable;

/** The tables are not ones that a module can work on; the message says which and what to do. */
public final class SchemaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what is wrong with which table, and the ways out
   */
  public SchemaException(String message) {
    this(message, null);
  }

  /**
   * @param message what is wrong with which table, and the ways out
   * @param cause what the database reported, or {@code null}
   */
  public SchemaException(String message, @Nullable Throwable cause) {
    super(message, cause, true, false); // the place in the code says nothing to the reader
  }
}
