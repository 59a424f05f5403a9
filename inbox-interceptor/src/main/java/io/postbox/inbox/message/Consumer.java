package io.postbox.inbox.message;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import java.util.ArrayList;
import java.util.List;

/**
 * What an {@code @Inbox} says.
 *
 * @param name under which messages are remembered
 * @param idFrom where the id is read
 * @param property which property holds it, for {@link IdFrom#PROPERTY}
 */
public record Consumer(String name, IdFrom idFrom, String property) {
  private static final int LONGEST_NAME = 100;

  /** Reads the annotation. */
  public static Consumer of(Inbox inbox) {
    return new Consumer(inbox.value(), inbox.idFrom(), inbox.property());
  }

  /** What is wrong with it; empty if it can be used. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (name.isBlank()) {
      problems.add("the consumer name is blank: write @Inbox(\"...\") with 1 to 100 characters");
    } else if (name.length() > LONGEST_NAME || !Storable.is(name)) {
      problems.add(
          "the consumer name '%s' has %d characters: it must have 1 to 100, none of them a control character"
              .formatted(name, name.length()));
    }
    if (idFrom == IdFrom.PROPERTY && property.isBlank()) {
      problems.add("idFrom = PROPERTY needs property = \"...\", the property that holds the id");
    }
    if (idFrom != IdFrom.PROPERTY && !property.isEmpty()) {
      problems.add(
          "property = \"%s\" is of no use with idFrom = %s: write idFrom = PROPERTY or leave it out"
              .formatted(property, idFrom));
    }
    return List.copyOf(problems);
  }
}
