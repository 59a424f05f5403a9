package io.postbox.it.handling;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The handler's instructions for each text, and its attempts, rolled back or not. */
@ApplicationScoped
public class Script {

  /** How a handler fails. */
  public enum Failure {
    /** With an exception that nobody declares. */
    RUNTIME_EXCEPTION,
    /** With an exception whose class says that the transaction may commit. */
    NOT_ROLLING_BACK,
    /** With an error. */
    ERROR,
    /** With a normal return from a transaction that it has marked for rollback. */
    SET_ROLLBACK_ONLY,
    /** With a statement that the database refuses. */
    FAILING_SQL
  }

  /**
   * One line of the script.
   *
   * @param failures how many attempts fail before one succeeds
   * @param how in which way
   * @param company how many other deliveries must wait for the handler before it goes on
   */
  public record Line(int failures, Failure how, int company) {}

  private final Map<String, Line> lines = new ConcurrentHashMap<>();
  private final Set<String> begun = ConcurrentHashMap.newKeySet();
  private final Map<String, List<Integer>> attempts = new ConcurrentHashMap<>();

  /** Fails so often, then succeeds. */
  public void fail(String text, int failures, Failure how) {
    lines.put(text, new Line(failures, how, 0));
  }

  /** Succeeds at once, but not before so many other deliveries of the id wait. */
  public void waitForCompany(String text, int others) {
    lines.put(text, new Line(0, Failure.RUNTIME_EXCEPTION, others));
  }

  /** Whether the handler has begun with a text. */
  public boolean hasBegun(String text) {
    return begun.contains(text);
  }

  /** How many others waited at each attempt on a text, the failed ones included. */
  public List<Integer> attemptsOn(String text) {
    return attempts.getOrDefault(text, List.of());
  }

  /** The instructions for a text whose handling begins. */
  Line begin(String text) {
    begun.add(text);
    return lines.getOrDefault(text, new Line(0, Failure.RUNTIME_EXCEPTION, 0));
  }

  /** Notes an attempt and returns its number, from 1. */
  int attempt(String text, int waiting) {
    List<Integer> noted =
        attempts.merge(
            text,
            List.of(waiting),
            (before, now) -> {
              List<Integer> both = new ArrayList<>(before);
              both.addAll(now);
              return List.copyOf(both);
            });
    return noted.size();
  }
}
