package io.postbox.inbox.message;

/** Why a delivery was kept aside. The names are stored; none is longer than 30 characters. */
public enum QuarantineReason {
  /** There is no id where the consumer looks for it. */
  MISSING_ID("it has no message id"),
  /** The id is nothing but blanks. */
  BLANK_ID("its message id is blank"),
  /** The id does not have the form it should have. */
  MALFORMED_ID("its message id does not have the right form"),
  /** The id does not fit the column. */
  ID_TOO_LONG("its message id is longer than 200 characters"),
  /** The id is not a string. */
  WRONG_ID_TYPE("its message id is not a string"),
  /** Its consumer handles the versions of an aggregate in order, and it has none. */
  MISSING_VERSION("it has no aggregate or version, and its consumer handles them in order"),
  /** Another message with the same version of its aggregate was the one that was handled. */
  SAME_VERSION("another message had the same version of its aggregate"),
  /** The ids of that time are no longer remembered, where they are remembered by day. */
  TOO_OLD("its message id is older than any that is remembered"),
  /** The id does not tell its time, where ids are remembered by day. */
  NOT_TIME_ORDERED("its message id is not a UUID of version 7, or one from days ahead"),
  /** The body is larger than its consumer takes; it was not read. */
  BODY_TOO_LARGE("its body is larger than its consumer's max-body"),
  /** The body could not be read, as often as that may pass. */
  BODY_UNREADABLE("its body could not be read, as often as it was tried"),
  /** A message with this id and other content was handled before. */
  OTHER_CONTENT("another content was handled under its message id");

  private final String text;

  QuarantineReason(String text) {
    this.text = text;
  }

  /** The second half of a sentence about the delivery. */
  public String text() {
    return text;
  }
}
