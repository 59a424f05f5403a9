package io.postbox.common.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.testing.Draws;
import org.junit.jupiter.api.Test;

class StorableFuzzTest {

  @FuzzTest
  void aTextIsStorableOrMadeSo(byte[] input) {
    Draws draws = new Draws(input);
    int longest = 1 + draws.below(30);
    String text = draws.text(30);
    isStorableIfItIsUnicodeWithoutControlCharacters(text);
    aLineOfItIsShortAndWhole(text, longest);
  }

  @Test
  void alsoTheSameTextsEachTime() {
    Draws.check(4_000, this::aTextIsStorableOrMadeSo);
  }

  private static void isStorableIfItIsUnicodeWithoutControlCharacters(String text) {
    assertThat(Storable.isText(text)).isEqualTo(isUnicode(text) && !text.contains("\0"));
    assertThat(Storable.is(text))
        .isEqualTo(isUnicode(text) && text.codePoints().noneMatch(StorableFuzzTest::isControl));
  }

  private static void aLineOfItIsShortAndWhole(String text, int longest) {
    String line = Storable.line(text, longest);

    assertThat(line).hasSizeLessThanOrEqualTo(longest).matches(Storable::is);
    assertThat(line.codePoints()).noneMatch(StorableFuzzTest::isReplaced);
    assertThat(Storable.line(line, longest)).isEqualTo(line);
    assertThat(Storable.line(text, Integer.MAX_VALUE)).startsWith(line);
    if (isUnicode(text) && text.codePoints().noneMatch(StorableFuzzTest::isReplaced)) {
      assertThat(text).startsWith(line);
      assertThat(line).hasSizeGreaterThanOrEqualTo(Math.min(text.length(), longest - 1));
    }
    if (text.length() <= longest
        && Storable.is(text)
        && text.codePoints().noneMatch(StorableFuzzTest::isReplaced)) {
      assertThat(line).isEqualTo(text);
    }
  }

  private static boolean isControl(int c) {
    return c < 32 || (c >= 127 && c < 160);
  }

  private static boolean isReplaced(int c) {
    return isControl(c) || c == 0x2028 || c == 0x2029 || Character.getType(c) == Character.FORMAT;
  }

  /** Whether every half of a pair has its other half. */
  private static boolean isUnicode(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0xd800
          && c < 0xdc00
          && i + 1 < text.length()
          && text.charAt(i + 1) >= 0xdc00
          && text.charAt(i + 1) < 0xe000) {
        i++;
      } else if (c >= 0xd800 && c < 0xe000) {
        return false;
      }
    }
    return true;
  }
}
