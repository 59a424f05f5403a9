package io.postbox.console.api;

import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A module, for the pages about both. A bean where the module is there. */
public interface ModuleView {
  /** {@code outbox} or {@code inbox}. */
  String module();

  /** How many messages there are, by their state. */
  JsonObject counts();

  /** Since when all of it is paused, by whom and why; empty if it is not. */
  default Optional<JsonObject> paused() {
    return Optional.empty();
  }

  /** What was last {@linkplain #keepHistory kept} in the module's tables; empty if nothing was. */
  Optional<String> history();

  /** Keeps the numbers of the last hour in the module's tables, for all nodes. */
  void keepHistory(String history);

  /** The present concerns, in any order. */
  List<Concern> concerns();

  /**
   * The values that operators have set for keys of the configuration; empty if the tables cannot be
   * read.
   */
  Optional<List<RuntimeValue>> runtimeValues();

  /**
   * A key's value that an operator has set.
   *
   * @param key the configuration's
   * @param value in the configuration's words
   * @param principal the operator
   * @param since when it was set
   * @param reason the operator's
   */
  record RuntimeValue(String key, String value, String principal, Instant since, String reason) {
    /** Those of a policy, under the keys' common beginning. */
    public static Stream<RuntimeValue> of(
        String prefix, Map<String, String> policy, String principal, Instant since, String reason) {
      return policy.entrySet().stream()
          .map(
              it ->
                  new RuntimeValue(prefix + it.getKey(), it.getValue(), principal, since, reason));
    }
  }

  /** The nodes, those that are alive first. */
  List<NodeState> nodeStates();

  /** The nodes with all that they report. */
  JsonArray nodes();

  /**
   * A node, and what its guarantee check has found.
   *
   * @param name its name
   * @param alive whether it reports
   * @param findings their names
   * @param notChecked the names of those for which its server cannot be asked
   */
  record NodeState(String name, boolean alive, List<String> findings, List<String> notChecked) {
    /** Keeps a copy. */
    public NodeState {
      findings = List.copyOf(findings);
      notChecked = List.copyOf(notChecked);
    }
  }
}
