package io.postbox.console.http;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sentences about a number of things, in the singular or the plural. */
public final class Numbered {
  private static final Pattern FORMS = Pattern.compile("\\{([^|{}]*)\\|([^|{}]*)}");

  private Numbered() {}

  /**
   * A sentence about so many things.
   *
   * @param sentence with the two forms of each part that depends on the number, which is {@code #}
   *     there: {@code {# message waits|# messages wait}}
   */
  public static String sentence(String sentence, long count) {
    String number = String.format(Locale.ROOT, "%,d", count);
    return FORMS
        .matcher(sentence)
        .replaceAll(
            forms ->
                Matcher.quoteReplacement(forms.group(count == 1 ? 1 : 2).replace("#", number)));
  }
}
