package io.postbox.common.log;

import io.postbox.common.text.Storable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The recorded error of one attempt.
 *
 * @param text on one line; may contain what the application, a driver or a broker put into it
 * @param errorClass the class of the innermost exception; empty if there is none
 * @param frame the innermost call of the application, with its file and line; empty if there is
 *     none
 * @param signature the same for all errors of one cause
 */
public record RecordedError(String text, String errorClass, String frame, String signature) {
  /** The longest name of a class and the longest call; longer ones are cut. */
  public static final int LONGEST_NAME = 300;

  /** Cuts the names, and keeps each on one line. */
  public RecordedError {
    errorClass = Storable.line(errorClass, LONGEST_NAME);
    frame = Storable.line(frame, LONGEST_NAME);
  }

  /** An error that is known by its text alone. */
  public static RecordedError of(String text) {
    return new RecordedError(text, "", "", Signature.of(text));
  }

  /**
   * The error of an exception, if there is one.
   *
   * @param text the text to record: an exception's own message may be secret
   */
  public static RecordedError of(String text, @Nullable Throwable thrown) {
    if (thrown == null) {
      return of(text);
    }
    Throwable root = Signature.root(thrown);
    Optional<StackTraceElement> frame = Signature.frame(thrown);
    return new RecordedError(
        text,
        root.getClass().getName(),
        frame.map(StackTraceElement::toString).orElse(""),
        Signature.of(root, frame));
  }

  /** The same with its text cut, on one line. */
  public RecordedError cut(int longest) {
    return new RecordedError(Storable.line(text, longest), errorClass, frame, signature);
  }
}
