package io.postbox.inbox.message;

import io.postbox.common.text.Storable;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import io.postbox.inbox.MessageIdResolver;
import java.util.ArrayList;
import java.util.List;

/**
 * An {@code @Inbox} annotation.
 *
 * @param name the consumer's name
 * @param idFrom the source of the id
 * @param property the property that holds it, for {@link IdFrom#PROPERTY}
 * @param resolver the bean that finds it, for {@link IdFrom#RESOLVER}
 * @param mode when its messages are handled
 */
public record Consumer(
    String name,
    IdFrom idFrom,
    String property,
    Class<? extends MessageIdResolver> resolver,
    InboxMode mode) {
  private static final int LONGEST_NAME = 100;

  /** A consumer without a resolver. */
  public Consumer(String name, IdFrom idFrom, String property) {
    this(name, idFrom, property, MessageIdResolver.class);
  }

  /** A consumer whose messages are handled when they are delivered. */
  public Consumer(
      String name, IdFrom idFrom, String property, Class<? extends MessageIdResolver> resolver) {
    this(name, idFrom, property, resolver, InboxMode.HANDLE);
  }

  /** Reads the annotation. */
  public static Consumer of(Inbox inbox) {
    return new Consumer(
        inbox.value(), inbox.idFrom(), inbox.property(), inbox.resolver(), inbox.mode());
  }

  /** Whether its messages are stored first and handled later. */
  public boolean captures() {
    return mode == InboxMode.CAPTURE;
  }

  /** The annotation's problem; empty if it is valid. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (name.isBlank()) {
      problems.add("the consumer name is blank: write @Inbox(\"...\") with 1 to 100 characters");
    } else if (name.length() > LONGEST_NAME || !Storable.is(name)) {
      problems.add(
          "the consumer name '%s' has %s characters: it must have 1 to 100, none of them a control character"
              .formatted(name, name.length()));
    }
    if (idFrom == IdFrom.PROPERTY && property.isBlank()) {
      problems.add("idFrom = PROPERTY needs property = \"...\", the property that holds the id");
    }
    if (idFrom != IdFrom.PROPERTY && !property.isEmpty()) {
      problems.add(
          "property = \"%s\" has no effect with idFrom = %s: write idFrom = PROPERTY or leave it out"
              .formatted(property, idFrom));
    }
    boolean namesResolver = resolver != MessageIdResolver.class;
    if (idFrom == IdFrom.RESOLVER && !namesResolver) {
      problems.add(
          "idFrom = RESOLVER needs resolver = ..., the class of the bean that finds the id");
    }
    if (idFrom != IdFrom.RESOLVER && namesResolver) {
      problems.add(
          "resolver = %s has no effect with idFrom = %s: write idFrom = RESOLVER or leave it out"
              .formatted(resolver.getName(), idFrom));
    }
    return List.copyOf(problems);
  }
}
