package io.postbox.sample.web;

import org.jspecify.annotations.Nullable;

/** The caller sent something that cannot be worked with; nothing was done. */
final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_VALUE = 60;

  private final transient ApiError error;

  /**
   * @param field the wrong field
   * @param value its value, or {@code null} if it had none
   * @param rule the rule, as the end of a sentence that begins with the field
   */
  BadInputException(String field, @Nullable Object value, String rule) {
    this(new ApiError(field + " " + rule, field, value == null ? null : shorten(value)));
  }

  /** The input as a whole is wrong. */
  BadInputException(String sentence) {
    this(new ApiError(sentence));
  }

  private BadInputException(ApiError error) {
    super(error.error());
    this.error = error;
  }

  ApiError error() {
    return error;
  }

  private static String shorten(Object value) {
    String text = value.toString();
    return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "…";
  }
}
