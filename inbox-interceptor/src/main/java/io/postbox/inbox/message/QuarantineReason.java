package io.postbox.inbox.message;

/** Why a delivery was kept aside. The names are stored; none is longer than 30 characters. */
public enum QuarantineReason {
  /** The message has no id where the consumer looks for it. */
  MISSING_ID("it has no message id"),
  /** The id consists of blanks. */
  BLANK_ID("its message id is blank"),
  /** The id is malformed. */
  MALFORMED_ID("its message id is malformed"),
  /** The id does not fit the column. */
  ID_TOO_LONG("its message id is longer than 200 characters"),
  /** The id is not a string. */
  WRONG_ID_TYPE("its message id is not a string"),
  /** The message has no aggregate or version, and its consumer has version order. */
  MISSING_VERSION("it has no aggregate or version, and its consumer handles them in order"),
  /** The version is below the one with which its consumer began to handle the aggregate. */
  BELOW_FIRST_VERSION(
      "its version is below the one with which the consumer begins its aggregate"
          + " (order.first-version)"),
  /** Another message with the same version of the aggregate was handled. */
  SAME_VERSION("another message had the same version of its aggregate"),
  /** The body is an object, which cannot be stored, and its consumer captures messages. */
  NOT_CAPTURABLE("it is an object message, which its consumer cannot store to handle it later"),
  /** The id is past the retention, with ids partitioned by day. */
  TOO_OLD("its message id is older than the retention of ids"),
  /** The id does not contain a time, with ids partitioned by day. */
  NOT_TIME_ORDERED("its message id is not a UUID of version 7, or one from days ahead"),
  /** The body is larger than its consumer accepts; it was not read. */
  BODY_TOO_LARGE("its body, or its properties, are larger than its consumer's max-body"),
  /** The body could not be read, as often as {@code max-transient-failures} allows. */
  BODY_UNREADABLE("its body could not be read in max-transient-failures attempts"),
  /** A message with this id and other content was handled before. */
  OTHER_CONTENT("other content was handled under its message id");

  private final String text;

  QuarantineReason(String text) {
    this.text = text;
  }

  /** The second half of a sentence about the delivery. */
  public String text() {
    return text;
  }
}
