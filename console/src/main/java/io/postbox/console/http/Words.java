package io.postbox.console.http;

import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Constants as the API writes them. */
public final class Words {
  private Words() {}

  /** The word of a constant: its name in lower case. */
  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The constant of a word; another word is refused with those that there are.
   *
   * @param form how these constants are written
   */
  public static <E extends Enum<E>> E one(
      E[] all, Function<? super E, String> form, String word, String refusal) {
    return Stream.of(all)
        .filter(each -> form.apply(each).equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalid(
                    refusal,
                    Stream.of(all).map(form).collect(Collectors.joining(", ", "Use: ", "."))));
  }
}
