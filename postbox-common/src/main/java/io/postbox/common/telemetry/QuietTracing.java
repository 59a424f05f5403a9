package io.postbox.common.telemetry;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the exceptions of a tracing system from those whom it traces: a missing span must cost
 * neither a message nor what its handler has done.
 *
 * @param failed is told of each exception
 */
public record QuietTracing(Tracing tracing, Consumer<Throwable> failed) implements Tracing {
  @Override
  public TraceContext current() {
    return get(tracing::current, TraceContext.NONE);
  }

  @Override
  public Optional<Span> begin(Start start) {
    return get(() -> tracing.begin(start).map(span -> quiet(span, start)), Optional.empty());
  }

  private Span quiet(Span span, Start start) {
    return new Span() {
      @Override
      public TraceContext context() {
        return get(span::context, start.parent());
      }

      @Override
      public void enter() {
        run(span::enter);
      }

      @Override
      public void end(@Nullable Throwable failure) {
        run(() -> span.end(failure));
      }
    };
  }

  private void run(Runnable action) {
    get(
        () -> {
          action.run();
          return true;
        },
        false);
  }

  private <T> T get(Supplier<T> action, T otherwise) {
    try {
      return action.get();
    } catch (RuntimeException | LinkageError thrown) { // nobody's message is to blame
      failed.accept(thrown);
      return otherwise;
    }
  }
}
