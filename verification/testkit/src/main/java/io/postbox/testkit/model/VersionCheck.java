package io.postbox.testkit.model;

import io.postbox.testkit.model.Event.VersionsSent;
import io.postbox.testkit.model.FinalState.HandledVersion;
import io.postbox.testkit.model.FinalState.Versions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges messages that a consumer handles in the order of their aggregate's versions, in whatever
 * order they were sent.
 *
 * <p>Each version that was sent is handled once, by a handler that saw the effect of the version
 * before it, and of none later: so that one had committed. The inbox takes none for missing in the
 * end, and remembers them all.
 */
final class VersionCheck {
  private final List<VersionsSent> sent;
  private final Versions versions;
  private final Terms terms;
  private final List<Violation> violations = new ArrayList<>();

  /** A version of an aggregate. */
  private record Version(String aggregate, long number) {}

  VersionCheck(List<Event> history, FinalState state, Terms terms) {
    sent =
        history.stream()
            .filter(VersionsSent.class::isInstance)
            .map(VersionsSent.class::cast)
            .toList();
    versions = state.versions();
    this.terms = terms;
  }

  List<Violation> violations() {
    Set<Version> handled =
        versions.handled().stream()
            .map(one -> new Version(one.aggregate(), one.version()))
            .collect(Collectors.toSet());
    everySentVersionIsHandled(handled);
    everyHandledVersionWasSent(handled);
    eachIsHandledOnceAfterTheOneBefore();
    versions.awaited().forEach(one -> violations.add(new Violation.VersionAwaited(one)));
    if (!terms.isForgetful() && versions.remembered() != handled.size()) {
      violations.add(new Violation.WrongMemory("versions", handled.size(), versions.remembered()));
    }
    return violations;
  }

  private void everySentVersionIsHandled(Set<Version> handled) {
    sent.stream()
        .filter(VersionsSent::isSent)
        .flatMap(VersionCheck::each)
        .distinct()
        .filter(version -> !handled.contains(version))
        .forEach(
            lost -> violations.add(new Violation.VersionLost(lost.aggregate(), lost.number())));
  }

  private void everyHandledVersionWasSent(Set<Version> handled) {
    Set<Version> known = sent.stream().flatMap(VersionCheck::each).collect(Collectors.toSet());
    handled.stream()
        .filter(version -> !known.contains(version))
        .forEach(
            ghost -> violations.add(new Violation.GhostVersion(ghost.aggregate(), ghost.number())));
  }

  private static Stream<Version> each(VersionsSent sent) {
    return sent.versions().stream().map(number -> new Version(sent.aggregate(), number));
  }

  private void eachIsHandledOnceAfterTheOneBefore() {
    versions.handled().stream()
        .collect(
            Collectors.groupingBy(HandledVersion::aggregate, TreeMap::new, Collectors.toList()))
        .forEach(
            (aggregate, runs) ->
                runs.stream()
                    .collect(
                        Collectors.groupingBy(
                            HandledVersion::version, TreeMap::new, Collectors.toList()))
                    .values()
                    .forEach(this::isHandledOnceAfterTheOneBefore));
  }

  /** Judges the place of the first of several runs; the others are too many wherever they are. */
  private void isHandledOnceAfterTheOneBefore(List<HandledVersion> runs) {
    HandledVersion first =
        runs.stream().min(Comparator.comparingLong(HandledVersion::after)).orElseThrow();
    if (first.after() != first.version() - 1) {
      violations.add(
          new Violation.VersionOutOfOrder(first.aggregate(), first.version(), first.after()));
    }
    if (runs.size() > 1) {
      violations.add(
          new Violation.VersionHandledTwice(first.aggregate(), first.version(), runs.size()));
    }
  }
}
