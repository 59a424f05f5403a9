package io.postbox.console.api;

import io.postbox.common.KeptNumbers;
import io.postbox.common.RuntimePolicy;
import io.postbox.common.ServiceNode;
import io.postbox.console.http.Half;
import io.postbox.console.http.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A module, for the pages about both. A bean where the module is there. */
public interface ModuleView extends Half {
  /** How many messages there are, by their state. */
  JsonObject counts();

  /** Since when all of it is paused, by whom and why; empty if it is not. */
  default Optional<Json> paused() {
    return Optional.empty();
  }

  /** What the module's tables keep of the last hour, for all nodes. */
  KeptNumbers numbers();

  /** The present concerns, in any order. */
  List<Concern> concerns();

  /**
   * The values that operators have set for keys of the configuration; throws the module's own
   * failure if the tables cannot be read.
   */
  List<RuntimeValue> runtimeValues();

  /**
   * A key's value that an operator has set.
   *
   * @param key the configuration's
   * @param value in the configuration's words
   * @param set the policy with it
   */
  record RuntimeValue(String key, String value, RuntimePolicy<?> set) {
    /** Those of a policy, by the ends of their keys; the beginning is that of all names. */
    public static Stream<RuntimeValue> of(
        String prefix, Map<String, String> policy, RuntimePolicy<?> set) {
      String start = prefix + set.name() + ".";
      return policy.entrySet().stream()
          .map(it -> new RuntimeValue(start + it.getKey(), it.getValue(), set));
    }
  }

  /** The nodes, a moment ago: those that are alive first. */
  List<? extends ServiceNode> reports();

  /** The nodes with all that they report. */
  JsonArray nodes();
}
