package io.postbox.common.store;

import org.jspecify.annotations.Nullable;

/** A module cannot work on these tables; the message names the table and the remedy. */
public final class SchemaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the table, the problem and the remedies
   */
  public SchemaException(String message) {
    this(message, null);
  }

  /**
   * @param message the table, the problem and the remedies
   * @param cause the database's error, or {@code null}
   */
  public SchemaException(String message, @Nullable Throwable cause) {
    super(
        message, cause, true,
        false); // without a stack: the place in the code does not help the reader
  }
}
