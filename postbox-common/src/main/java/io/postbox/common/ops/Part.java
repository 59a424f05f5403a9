package io.postbox.common.ops;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is built when it is needed, and once: with the first call that can, for instance because the
 * module's tables are in order. Thread-safe.
 */
public final class Part<T> implements Supplier<T> {
  private final Supplier<T> build;
  private volatile @Nullable T built;

  /**
   * @param build throws as long as it cannot
   */
  public Part(Supplier<T> build) {
    this.build = build;
  }

  @Override
  public T get() {
    T found = built;
    return found == null ? build() : found;
  }

  private synchronized T build() {
    T found = built;
    if (found == null) {
      found = build.get();
      built = found;
    }
    return found;
  }

  /** The part, if it was built. */
  public Optional<T> ifBuilt() {
    return Optional.ofNullable(built);
  }
}
