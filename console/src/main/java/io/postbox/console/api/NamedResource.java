package io.postbox.console.api;

import io.postbox.common.RetryPolicy;
import io.postbox.console.http.Json;
import io.postbox.console.http.Names;
import io.postbox.console.http.RequestBody;
import io.postbox.console.http.RetryFields;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What operators switch by its name: destinations and consumers. */
public abstract class NamedResource {
  /** The request's. */
  @Inject protected RequestBody body;

  private final String what;
  private final String wayOut;

  /**
   * @param what destination or consumer
   * @param wayOut where to find the names that there are
   */
  protected NamedResource(String what, String wayOut) {
    this.what = what;
    this.wayOut = wayOut;
  }

  /** The names that a message, an operator, a node or the configuration has. */
  protected abstract Set<String> known();

  /** Whether there is such a name. */
  protected boolean isKnown(String name) {
    return known().contains(name);
  }

  /** Each under its name. */
  protected static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
    return all.stream().collect(Collectors.toMap(name, it -> it, (one, other) -> one));
  }

  /** Names may have come since the messages were counted, or somebody has changed something. */
  protected abstract void forget();

  /** Refuses a name that nobody has. */
  protected String known(String name) {
    if (isKnown(name)) {
      return name;
    }
    forget(); // those of a few seconds ago
    if (isKnown(name)) {
      return name;
    }
    throw Names.unknown(what, name, known(), wayOut);
  }

  /**
   * Changes something for a reason.
   *
   * @param part the name, as the address has it
   * @param change gets name and reason
   */
  protected Response change(String part, BiPredicate<String, String> change) {
    String name = Names.decoded(part);
    String reason = body.fields().only("reason").reason();
    return changed(change.test(known(name), reason));
  }

  /** Sets a policy. */
  protected interface Policy {
    /** Sets it. */
    void set(String name, RetryPolicy policy, String reason);
  }

  /**
   * Sets the policy that the request has.
   *
   * @param part the name, as the address has it
   */
  protected Response setPolicy(String part, Policy policies) {
    String name = Names.decoded(part);
    String reason = body.fields().reason();
    RetryPolicy policy = RetryFields.read(body.fields());
    RetryFields.set(name, () -> policies.set(known(name), policy, reason));
    return changed(true);
  }

  /** The answer to a change. */
  protected Response changed(boolean changed) {
    forget();
    return Json.object().put("changed", changed).ok();
  }
}
