package io.postbox.common.metrics;

import io.postbox.common.config.MetricsSystem;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Chooses the metrics system.
 *
 * @param wanted the configured system; {@link MetricsSystem#AUTO} takes the first in the order of
 *     that enumeration that somebody may read
 * @param missing is told the configured system if it cannot be used
 * @param failed is told of each exception of the system; nobody else sees them
 */
public record MetricsChoice(
    MetricsSystem wanted, Consumer<String> missing, Consumer<Throwable> failed) {

  /**
   * The system to use, or one that drops everything.
   *
   * @param sources those that may be there
   */
  public Meters among(Collection<MetricsSource> sources) {
    try {
      Optional<MetricsSource> found = find(sources);
      if (found.isEmpty() && wanted != MetricsSystem.AUTO && wanted != MetricsSystem.NONE) {
        missing.accept(wanted.value());
      }
      return found.isPresent() ? new QuietMeters(found.get().meters().get(), failed) : Meters.NONE;
    } catch (RuntimeException
        | LinkageError unusable) { // a failure of metrics must not cost a message
      failed.accept(unusable);
      return Meters.NONE;
    }
  }

  private Optional<MetricsSource> find(Collection<MetricsSource> sources) {
    return wanted == MetricsSystem.AUTO
        ? sources.stream()
            .sorted(Comparator.comparing(MetricsSource::system))
            .filter(source -> source.isPresent().getAsBoolean())
            .filter(source -> source.isRead().getAsBoolean())
            .findFirst()
        : sources.stream()
            .filter(source -> source.system() == wanted)
            .filter(source -> source.isPresent().getAsBoolean())
            .findFirst();
  }
}
