package io.postbox.inbox.receiver;

import io.postbox.common.text.Storable;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Limits for the names and results of effects. */
public final class EffectLimits {
  static final int LONGEST_NAME = 200;
  static final int LONGEST = 1_048_576;

  private EffectLimits() {}

  /**
   * The unchanged name of an effect.
   *
   * @throws IllegalArgumentException if it is not a valid name
   */
  public static String checkedName(String effect) {
    Objects.requireNonNull(effect, "effect");
    if (effect.isBlank() || effect.length() > LONGEST_NAME || !Storable.is(effect)) {
      throw new IllegalArgumentException(
          "The name of an effect has 1 to 200 characters, not all of them blank and none of them a"
              + " control character; this one has "
              + effect.length()
              + ": '"
              + Storable.line(effect, LONGEST_NAME)
              + "'");
    }
    return effect;
  }

  /**
   * An unchanged text to be stored.
   *
   * @param what names the text in the exception
   * @throws IllegalArgumentException if it cannot be stored
   */
  public static String checked(String what, String text) {
    Objects.requireNonNull(text, what);
    problem(what, text)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    return text;
  }

  /**
   * Why a text cannot be stored; empty if it can.
   *
   * @param what names the text
   */
  static Optional<String> problem(String what, @Nullable String text) {
    if (text == null) {
      return Optional.of(what + " is null");
    }
    if (!Storable.isText(text)) {
      return Optional.of(
          what + " contains the character 0 or an unpaired surrogate, which no database stores");
    }
    if (text.length() > LONGEST || text.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
      return Optional.of(
          what + " has " + text.length() + " characters; up to 1 MiB of UTF-8 can be stored");
    }
    return Optional.empty();
  }
}
