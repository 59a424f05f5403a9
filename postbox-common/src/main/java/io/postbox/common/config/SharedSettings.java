package io.postbox.common.config;

import io.postbox.common.config.Confidentiality.ErrorDetail;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings of a module, with those that both modules have. */
public final class SharedSettings {
  private static final Set<String> MODULES =
      Set.of("postbox.outbox", "postbox.inbox", "postbox.console");
  private static final List<String> BOTH =
      List.of("service", "unknown-keys", "encryption", "metrics", "data-subject-secret");

  private final Set<String> names;
  private final String beginning;
  private final Settings both;
  private final Settings own;
  private final String service;
  private final Encryption encryption;
  private final MetricsSystem metrics;
  private final Optional<DataSubjectKey> dataSubjects;
  private final UnknownKeys unknownKeys;

  private enum Encryption {
    OPTIONAL,
    REQUIRED
  }

  private enum UnknownKeys {
    REFUSE,
    REPORT
  }

  /**
   * @param module outbox or inbox
   * @param names as {@link Settings} takes them, as the look-up
   * @param application the name of the application, which owns the tables unless {@code
   *     postbox.service} says otherwise
   */
  public SharedSettings(
      String module,
      Set<String> names,
      Function<String, Optional<String>> lookup,
      String application) {
    this.names = names;
    beginning = "postbox." + module;
    both = new Settings("postbox.", names, lookup);
    own = new Settings(beginning + ".", names, lookup);
    service = both.name("service", application);
    encryption = both.choice("encryption", Encryption.OPTIONAL);
    metrics = both.choice("metrics", MetricsSystem.AUTO);
    dataSubjects =
        both.secret("data-subject-secret", DataSubjectKey.SHORTEST_SECRET).map(DataSubjectKey::new);
    unknownKeys = both.choice("unknown-keys", UnknownKeys.REFUSE);
  }

  /** The module's own keys. */
  public Settings own() {
    return own;
  }

  public String service() {
    return service;
  }

  public MetricsSystem metrics() {
    return metrics;
  }

  public Confidentiality confidentiality() {
    return new Confidentiality(
        encryption == Encryption.REQUIRED,
        own.optionalChoice("error-detail", ErrorDetail.class),
        dataSubjects);
  }

  /** The set keys of the module that nobody has read, and mistyped ones of both. */
  public Stream<String> unknown() {
    Set<String> ours = BOTH.stream().map("postbox."::concat).collect(Collectors.toSet());
    ours.add(beginning);
    Set<String> others = new TreeSet<>(MODULES);
    others.remove(beginning);
    return Stream.concat(
        own.unknown().stream(), Settings.mistypedBeginnings(names, ours, others).stream());
  }

  /**
   * Reports all problems at once.
   *
   * @param contradictions those between settings
   * @param unknown those of unknown keys, which may also be only reported
   * @throws ConfigurationException if there are any
   */
  public void check(List<String> contradictions, List<String> unknown) {
    List<String> problems = new ArrayList<>(both.problems());
    problems.addAll(own.problems());
    problems.addAll(contradictions);
    if (unknownKeys == UnknownKeys.REFUSE) {
      problems.addAll(unknown);
    }
    Settings.check(problems);
  }
}
