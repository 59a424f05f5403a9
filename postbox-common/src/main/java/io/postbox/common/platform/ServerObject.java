package io.postbox.common.platform;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks objects of a server or a provider, whose types an application cannot see. */
public final class ServerObject {
  private ServerObject() {}

  /** The answer of a method without parameters, if there is one of that type. */
  public static <T> Optional<T> ask(Object target, String method, Class<T> type) {
    try {
      @Nullable Object answer = target.getClass().getMethod(method).invoke(target);
      return type.isInstance(answer) ? Optional.of(type.cast(answer)) : Optional.empty();
    } catch (ReflectiveOperationException | RuntimeException anotherServer) {
      return Optional.empty();
    }
  }
}
