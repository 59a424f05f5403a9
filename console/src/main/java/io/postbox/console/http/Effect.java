package io.postbox.console.http;

import java.util.ArrayList;
import java.util.List;

/** What a plan would do, sentence by sentence. */
public final class Effect {
  private final List<String> sentences = new ArrayList<>();

  /** A sentence. */
  public Effect say(String sentence) {
    sentences.add(sentence);
    return this;
  }

  /** A sentence about so many things, as {@link Numbered} takes it. */
  public Effect say(long count, String sentence) {
    return say(Numbered.sentence(sentence, count));
  }

  /** The same, unless there are none. */
  public Effect sayIfAny(long count, String sentence) {
    return count > 0 ? say(count, sentence) : this;
  }

  /** A sentence, if it holds. */
  public Effect sayIf(boolean holds, String sentence) {
    return holds ? say(sentence) : this;
  }

  /** The sentences. */
  public List<String> sentences() {
    return List.copyOf(sentences);
  }
}
